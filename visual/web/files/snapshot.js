// What a picture shows on the screen, as an image. Plotly would draw its data anew; here scenes have hidden, moved and coloured parts of what
// it drew, by classes and styles.

import { partsOf, plotIn } from "../plot/plotly_adapter.js";

const CARDS = /** @type {Record<string, string>} */ ({ tree: ".ersd-tree-card", race: ".ersd-decision-card" });
const SVG = "http://www.w3.org/2000/svg";
const SHARPNESS = 3; // pixels of a PNG for each on the screen
// what style sheets and scenes may change: of any part, of one that is moved, and of one that is not a group
const COMMON = ["opacity", "clip-path"];
const MOVED = ["transform", "transform-box", "transform-origin"];
const LINES = ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "paint-order"];
const LETTERS = ["font-family", "font-size", "font-weight", "font-style", "text-anchor"];

/**
 * The address of an image of a picture of the step in view, in the colours of the screen; "" if the step has no such picture.
 * @param {HTMLElement} root the player.
 * @param {string} picture tree or race
 * @param {"svg" | "png"} format
 */
export async function pictureOf(root, picture, format) {
  const card = root.querySelector(CARDS[picture]);
  const plot = card && plotIn(card);
  return plot ? snapshot(plot, format, getComputedStyle(root).getPropertyValue("--ersd-page").trim()) : "";
}

/**
 * The address of an image of what an element shows.
 * @param {HTMLElement} element that a Plot has drawn in.
 * @param {"png" | "svg"} format
 * @param {string} background colour.
 */
async function snapshot(element, format, background) {
  for (const transition of element.getAnimations({ subtree: true })) transition.finish(); // or it would show the way to its end
  const svg = copyOf(element, background);
  const address = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  return format === "svg" ? address : pixels(address, svg.width.baseVal.value, svg.height.baseVal.value);
}

/** @param {HTMLElement} element @param {string} background */
function copyOf(element, background) {
  const { width, height, parts } = partsOf(element);
  const svg = document.createElementNS(SVG, "svg");
  const page = svg.appendChild(document.createElementNS(SVG, "rect"));
  for (const sized of [svg, page]) {
    sized.setAttribute("width", width);
    sized.setAttribute("height", height);
  }
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  page.setAttribute("fill", background);
  const copies = parts.map((part) => /** @type {SVGElement} */ (svg.appendChild(part.cloneNode(true))));
  const pairs = parts.flatMap((part, index) => pairsOf(part, copies[index]));
  inline(svg, pairs);
  prune(svg);
  return svg;
}

/** @param {Element} original @param {SVGElement} copy @returns {[Element, SVGElement][]} every element with its copy */
function pairsOf(original, copy) {
  const copies = /** @type {SVGElement[]} */ ([copy, ...copy.querySelectorAll("*")]);
  return [original, ...original.querySelectorAll("*")].map((each, index) => [each, copies[index]]);
}

/**
 * Writes into the copies what the page's style sheets did to the originals, and takes out what is not seen.
 * @param {SVGElement} svg
 * @param {[Element, SVGElement][]} pairs
 */
function inline(svg, pairs) {
  const apart = document.body.appendChild(document.createElement("div")); // where no style sheet of the page applies
  apart.style.cssText = "all: initial; position: fixed; left: -9999px";
  apart.attachShadow({ mode: "open" }).append(svg);
  /** @type {SVGElement[]} */
  const unseen = [];
  for (const [original, copy] of pairs) {
    const shown = getComputedStyle(original);
    const alone = getComputedStyle(copy);
    if (original.closest("defs")) continue;
    if (shown.display === "none" || shown.visibility === "hidden" || shown.opacity === "0") {
      unseen.push(copy);
      continue;
    }
    const names = [...COMMON, ...(shown.transform === "none" ? [] : MOVED), ...(copy.tagName === "g" ? [] : [...LINES, ...LETTERS])];
    const differing = names.filter((name) => shown.getPropertyValue(name) !== alone.getPropertyValue(name));
    for (const name of differing) copy.style.setProperty(name, shown.getPropertyValue(name));
    // not every program that reads SVG knows an outline in a style
    const outline = /^path\("(.*)"\)$/.exec(copy.style.getPropertyValue("d"));
    if (outline) copy.setAttribute("d", outline[1]);
    copy.style.removeProperty("d");
  }
  for (const each of unseen) each.remove();
  apart.remove();
  svg.remove();
}

/** Takes out groups without anything in them, and the classes. @param {SVGElement} svg */
function prune(svg) {
  for (const group of [...svg.querySelectorAll("g")].reverse()) if (!group.childElementCount) group.remove();
  for (const each of svg.querySelectorAll("[class]")) each.removeAttribute("class");
}

/** @param {string} address of an SVG image @param {number} width @param {number} height */
async function pixels(address, width, height) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: width * SHARPNESS, height: height * SHARPNESS });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}
