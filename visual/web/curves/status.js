// The status line of the tab, its progress bar, and what is announced of them.

/** @import * as T from "../types" */
import { Announcer } from "../base/announcer.js";
import { find } from "../base/dom.js";

export class Status {
  /** @param {HTMLElement} root of the tab's stage. */
  constructor(root) {
    this.announcer = new Announcer(find(root, ".ersd-announcer"));
    this.line = find(root, ".curves-status");
    this.bar = find(root, ".curves-progress");
  }

  /** @param {string} words @param {string} kind */
  say(words, kind = "") {
    this.line.textContent = words;
    this.line.dataset.kind = kind;
    if (kind === "error") this.announcer.say(words);
    else this.announcer.report(words);
  }

  /** @param {T.Curves.Points} of @param {number} expected points that there will be. */
  report({ points, done, left, doing }, expected) {
    const time = left === null ? "" : ` · ${left < 1 ? "1" : left} s left`;
    this.say(`${points.length} of ${expected} points${time} · now: ${doing}`);
    this.bar.hidden = false;
    this.bar.style.setProperty("--done", String(done));
  }

  /** @param {string} words of how a measurement ended. @param {string} kind */
  end(words, kind) {
    this.bar.hidden = true;
    this.say(words, kind);
    this.announcer.say(words);
  }
}
