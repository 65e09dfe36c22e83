// Bookmarks: a chip for each kind of step worth seeing, with how many there are; pressed again it goes to the next one.

/** @import * as T from "../types" */
import { keepFocus } from "../base/dom.js";
import { draw } from "../base/templates.js";
import { html } from "../lit-html.js";

export class Bookmarks {
  /** @param {HTMLElement} bar @param {T.Kit} kit @param {(index: number) => void} go */
  constructor(bar, kit, go) {
    this.bar = bar;
    this.kit = kit;
    this.go = go;
    this.index = -1; // the step in view
    this.nearness = "";
    /** @type {T.StepMessage[]} */
    this.steps = [];
    this.isCoins = false;
    keepFocus(bar);
  }

  /** @param {T.BeginMessage} message @param {T.StepMessage[]} steps */
  begin({ kind }, steps) {
    const { list, nearness } = this.kit.kinds[kind];
    this.nearness = nearness;
    this.steps = steps;
    this.isCoins = Boolean(list);
    this.mark();
  }

  /** Until the story of the step is over the chips are hidden, as they tell how it ends. @param {T.PanelView} view */
  draw({ index, scene: { isOver } }) {
    this.index = index;
    this.bar.classList.toggle("playing-step", !isOver);
    this.mark();
  }

  /** @param {T.Bookmark} find */
  next(find) {
    const found = foundIn(this.landmarks, find.id);
    const here = found.indexOf(this.index);
    const later = found.findIndex((index) => index > this.index); // from elsewhere to the next in the text
    if (found.length) this.go(found[here >= 0 ? (here + 1) % found.length : Math.max(0, later)]);
  }

  get landmarks() {
    return this.steps.map((step) => step.find);
  }

  mark() {
    const { landmarks } = this;
    const chips = this.kit.find.map((find) => {
      const found = foundIn(landmarks, find.id);
      const longest = find.id === "path" && found.length ? ` (${landmarks[found[0]].path})` : "";
      const help = find.id === "gap" && this.nearness ? `${find.help} (${this.nearness})` : find.help;
      const title = found.length || !landmarks.length ? help : find.none;
      const [isHere, name] = [found.includes(this.index), (this.isCoins ? find.coins : find.label) + longest];
      return html`<button
        type="button"
        data-find=${find.id}
        title=${title}
        ?disabled=${!found.length}
        ?data-here=${isHere}
        @click=${() => this.next(find)}
      >
        <span .textContent=${name}></span><b .textContent=${String(found.length)}></b>
      </button>`;
    });
    draw(this.bar, [html`<span>Jump to</span>`, chips]);
  }
}

/** The steps of a kind, in the order of the text. @param {T.Landmarks[]} steps @param {T.Bookmark["id"]} id */
export function foundIn(steps, id) {
  const indices = [...steps.keys()];
  if (id === "gap") {
    const gaps = steps.map(({ gap }) => gap ?? Infinity);
    const least = Math.min(...gaps);
    return indices.filter((index) => gaps[index] === least && least < Infinity);
  }
  if (id !== "path") return indices.filter((index) => steps[index][id]);
  const longest = Math.max(1, ...steps.map(({ path }) => path));
  return indices.filter((index) => steps[index].path === longest);
}
