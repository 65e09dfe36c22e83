// The legend of the tree and the hint under it: only keys of what is in the picture.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { StepMessage } from "../base/types.js" */

/** Shows the keys that a step's tree needs. */
export class TreeLegend {
  /**
   * @param {HTMLElement} card each key has the name of its subject in `data-key`.
   * @param {Kit} kit
   */
  constructor(card, kit) {
    this.kit = kit;
    this.keys = /** @type {HTMLElement[]} */ ([...card.querySelectorAll("[data-key]")]);
  }

  /** @param {string} kind of the run: each kind has its own names for accepted and rejected. */
  begin(kind) {
    const { kinds, signs } = this.kit;
    for (const [fate, words] of Object.entries(kinds[kind].fates)) {
      const key = this.keys.find(({ dataset }) => dataset.key === fate);
      if (key) key.textContent = `${signs[fate]} ${words}`;
    }
  }

  /** @param {StepMessage} step */
  draw({ tree, decisions }) {
    const drawn = new Set(/** @type {string[]} */ (tree.states));
    if (Object.values(decisions).some(({ tries = [] }) => tries.length > 1)) drawn.add("tries");
    if (tree.draws.some((times) => times > 1)) drawn.add("twice");
    if (tree.names.some((name) => name.includes("␣"))) drawn.add("space");
    for (const key of this.keys) key.hidden = !drawn.has(key.dataset.key ?? "");
  }
}
