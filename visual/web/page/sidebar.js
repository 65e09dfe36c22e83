// The settings beside a player fold: the style sheet shows it by `data-settings` on the page. On a phone they are folded at first, and again
// once a run was requested, so that the run is in sight.

const settingsOf = document.documentElement;
const isPhone = window.matchMedia("(max-width: 860px)");

/** @param {boolean} isFolded */
function fold(isFolded) {
  settingsOf.dataset.settings = isFolded ? "folded" : "open";
  for (const button of document.querySelectorAll(".fold-settings")) button.setAttribute("aria-expanded", String(!isFolded));
}

fold(isPhone.matches);
isPhone.addEventListener("change", () => fold(isPhone.matches));

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  if (event.target.closest(".fold-settings")) fold(settingsOf.dataset.settings !== "folded");
  else if (isPhone.matches && event.target.closest(".start-button")) fold(true);
});
