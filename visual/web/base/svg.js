// Elements of an SVG picture.

/** @param {string} tag @param {Record<string, string | number>} attributes */
export function shape(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** @param {number} x @param {number} y @param {string} text @param {Record<string, string>} [attributes] */
export function words(x, y, text, attributes = {}) {
  const made = shape("text", { x, y, ...attributes });
  made.textContent = text;
  return made;
}
