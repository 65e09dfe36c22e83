// The view that a link names, a step of its run and perhaps a node; and the decision in view, for other parts of the page.

/** @import * as T from "../types" */
import { hear } from "../base/dom.js";
import { decisionInView } from "../decision/decision.js";

const ROOT = -1;

/** Waits for the linked step to arrive, and tells which decision is in view: `ersd-decision` with an object that gets it. */
export class LinkedView {
  /**
   * @param {HTMLElement} host the page sends it the view of a link.
   * @param {() => T.View | null} viewNow
   * @param {AbortSignal} ended
   */
  constructor(host, viewNow, ended) {
    /** @type {{ step?: number, vertex?: number }} */
    this.wanted = {};
    hear(host, "ersd-view", (detail) => (this.wanted = detail), ended);
    const answer = (/** @type {{ decision: unknown }} */ detail) => {
      const view = viewNow();
      detail.decision = view && decisionInView(view.step, view.focus).decision;
    };
    hear(host, "ersd-decision", answer, ended);
  }

  /**
   * The linked view, once its step is the newest one.
   * @param {T.StepMessage[]} steps
   * @returns {{ index: number, choice: T.Choice | null } | null}
   */
  at(steps) {
    const { step, vertex } = this.wanted;
    if (step !== steps.length) return null;
    this.wanted = {};
    const isThere = vertex !== undefined && (vertex === ROOT || vertex in steps[step - 1].tree.names);
    return { index: step - 1, choice: isThere ? { vertex, about: false } : null };
  }
}
