// Figure: three shapes of a draft of as many tokens, with what they are expected to give; the handle chooses how many.

/** @import * as T from "../types" */
import { make } from "../base/dom.js";
import { handle } from "./handle.js";

const USUAL = "16";

/** @param {HTMLElement} host @param {T.Learn.Figures} figures @param {Record<string, string>} labels */
export function drawTrees(host, { trees }, labels) {
  const numbers = Object.keys(trees);
  const most = Math.max(...Object.values(trees).flatMap((shapes) => Object.values(shapes).map(({ expected }) => expected)));
  const sections = Object.keys(trees[USUAL]).map((name) => {
    const section = make("section", "learn-tree");
    section.dataset.part = name;
    return { name, section };
  });
  const pull = handle(labels.trees_handle, numbers.indexOf(USUAL), numbers, (at) => {
    for (const { name, section } of sections) {
      const { svg, expected } = trees[numbers[at]][name];
      const picture = make("div");
      picture.innerHTML = svg; // made by the server from the shape alone
      const [bar, fill, words] = [make("span", "learn-track"), make("i"), make("p")];
      fill.style.width = `${((100 * expected) / most).toFixed(1)}%`;
      bar.append(fill);
      words.append(make("b", "", expected.toFixed(2)), ` ${labels.tree_expected}`);
      section.replaceChildren(make("h3", "", labels[`tree_${name}`]), picture, words, bar);
    }
  });
  host.replaceChildren(...sections.map(({ section }) => section), pull, make("p", "learn-note", labels.trees_note));
}
