// Pills at the boxes whose verdict is another than in the recording, in a redrawn step.

/** @import * as T from "../types" */
import { foreign, make } from "../base/dom.js";
import { at } from "./tree_figure.js";

/** The pills of one tree. */
export class ChangeMarks {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.list = panel.appendChild(make("ul", "ersd-changes"));
    this.list.setAttribute("aria-label", "Changed");
  }

  /** @param {T.StepMessage} step @param {T.TreeLayout} layout */
  draw({ changes = [] }, { items, looks, spots, height: room }) {
    this.list.hidden = !changes.length;
    this.list.replaceChildren(
      ...changes.flatMap(({ vertex, was }) => {
        const item = items.find(({ id, hidden, isDot }) => id === vertex && !hidden && !isDot);
        if (!item) return [];
        const [{ x, y }, { height }] = [at(spots, item), at(looks, item)];
        const pill = make("li");
        pill.append(foreign(was));
        const below = y + height / 2;
        Object.assign(pill.style, { left: `${x}px`, top: `${below + height / 2 < room ? below : y - height / 2 - 8}px` });
        return [pill];
      }),
    );
  }
}
