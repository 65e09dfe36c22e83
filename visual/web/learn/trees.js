// Figure: three shapes of a draft of as many tokens, with what they are expected to give.

/** @import * as T from "../types" */
import { make } from "../base/dom.js";

/** @param {HTMLElement} host @param {T.Learn.Figures} figures @param {Record<string, string>} labels */
export function drawTrees(host, { trees }, labels) {
  const most = Math.max(...Object.values(trees).map(({ expected }) => expected));
  host.replaceChildren(
    ...Object.entries(trees).map(([name, { svg, expected }]) => {
      const section = make("section", "learn-tree");
      section.dataset.part = name;
      const picture = make("div");
      picture.innerHTML = svg; // made by the server from the shape alone
      const bar = make("span", "learn-track");
      const fill = make("i");
      fill.style.width = `${((100 * expected) / most).toFixed(1)}%`;
      bar.append(fill);
      const words = make("p");
      words.append(make("b", "", expected.toFixed(2)), ` ${labels.tree_expected}`);
      section.append(make("h3", "", labels[`tree_${name}`]), picture, words, bar);
      return section;
    }),
    make("p", "learn-note", labels.trees_note),
  );
}
