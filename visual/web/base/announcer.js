// Announcements to screen readers. What happened is announced at once; progress at most once in some seconds, always with the newest words.

const REST_MS = 4000; // least time from one announcement to the next report of progress

/** Speaks through one live region. */
export class Announcer {
  /** @param {{ textContent: string | null }} region an element with the role `status`. */
  constructor(region) {
    this.region = region;
    this.last = -Infinity; // when something was announced
    this.latest = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {string} words announced now; reports that still wait are out of date. */
  say(words) {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.last = performance.now();
    if (words !== this.region.textContent) this.region.textContent = words;
  }

  /** @param {string} words of something that goes on. */
  report(words) {
    this.latest = words;
    if (this.timer !== undefined) return;
    const wait = this.last + REST_MS - performance.now();
    if (wait > 0) this.timer = setTimeout(() => this.say(this.latest), wait);
    else this.say(words);
  }
}
