// What several parts of a player need.

export function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

// The panel of a vertex: of itself, or of its parent where it was decided about; null where there is neither.
export function panelOf(step, vertex) {
  if (vertex === null || vertex === undefined) return step.panels[step.shown];
  if (step.panels[vertex]) return step.panels[vertex];
  if (vertex >= step.parents.length) return step.panels[step.shown]; // the target's own token: where it was chosen
  return step.panels[step.parents[vertex]] || null;
}
