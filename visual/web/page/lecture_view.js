// The lecture view, `?view=lecture`: the same page for a room, with the form folded away. The style sheets do all of it by the attribute set
// here; a button of the class `lecture-button` toggles it.

const LECTURE = "lecture";
const root = document.documentElement;

/** @param {boolean} isLecture */
function show(isLecture) {
  if (isLecture) root.dataset.view = LECTURE;
  else delete root.dataset.view;
}

show(new URLSearchParams(location.search).get("view") === LECTURE);

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element && event.target.closest(".lecture-button"))) return;
  show(root.dataset.view !== LECTURE);
  const address = new URL(location.href);
  if (root.dataset.view) address.searchParams.set("view", LECTURE);
  else address.searchParams.delete("view");
  history.replaceState(history.state, "", address);
});
