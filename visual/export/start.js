// Mounts the player of a saved run and shows what the address asks for.

const asked = new URLSearchParams(location.search);
const { showTheme, reportHeight } = await import(window.ersdModules.document);
showTheme(asked);

const element = document.getElementById("player");
const trace = document.getElementById("ersd-run").textContent;
const { render } = await import(window.ersdModules.player);
const { pictureOf } = await import(window.ersdModules.picture);
render({ element, trace });
const step = Number(asked.get("step"));
if (Number.isInteger(step) && step > 0) element.dispatchEvent(new CustomEvent("ersd-go", { detail: { step } }));

/** For picture.py: the address of an image of the step that the address asks for, once it is drawn; "" if it has no such picture. */
window.ersdPicture = async (picture, format) => {
  const isDrawn = () => (asked.has("step") ? element.dataset.step === asked.get("step") : element.hasAttribute("data-step"));
  while (!isDrawn()) await new Promise(requestAnimationFrame);
  return pictureOf(element, picture, format);
};

document.querySelector(".theme-button").addEventListener("click", () => document.body.classList.toggle("dark"));
document.querySelector(".terms-button").addEventListener("click", () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "?" })));

reportHeight(document.documentElement);
