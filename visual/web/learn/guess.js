// Will it be accepted? A real step's first guess, the draft's half of the race, two answers; then the target's half runs.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { fill } from "../base/format.js";
import { lifetimeOf } from "../base/lifetime.js";
import { drawnByLook } from "../plot/look.js";
import { boxed, classes, plain } from "../base/templates.js";
import { DecisionPicture } from "../decision/picture.js";
import { ALL } from "../decision/motion.js";
import { html, nothing, render } from "../lit-html.js";

/** @type {unknown} a step without a tree, as far as the picture of a decision asks for one */
const STEP = { tree: { q: [0], draws: [] } };
const HIDDEN = { ...ALL, target: 0, scored: false };

export class GuessGame {
  /**
   * @param {HTMLElement} host
   * @param {T.Kit} kit
   * @param {T.Learn.Guess[]} guesses
   * @param {Record<string, string>} labels
   * @param {(right: number, answered: number) => void} onScore
   */
  constructor(host, kit, guesses, labels, onScore) {
    this.guesses = guesses;
    this.labels = labels;
    this.onScore = onScore;
    this.at = 0;
    this.isRevealing = false;
    /** @type {(boolean | null)[]} what was answered */
    this.answers = guesses.map(() => null);
    this.host = host;
    this.show();
    this.plot = find(host, ".learn-guess-race");
    this.picture = new DecisionPicture(this.plot, kit);
    this.redraw = drawnByLook(lifetimeOf(host), this.plot, (look) => void this.draw(look));
  }

  /** @param {string} key @returns {boolean} whether it answered, or went on */
  press(key) {
    const [isYes, isNo] = ["y", "n"].map((letter) => key.toLowerCase() === letter);
    if (isYes || isNo) this.answer(isYes);
    else if ((key === " " || key === "ArrowRight" || key === "PageDown") && this.answers[this.at] !== null) this.goOn();
    else return false;
    return true;
  }

  /** To the next guess; after the last one the game begins anew. */
  goOn() {
    if (this.answered === this.guesses.length) this.answers.fill(null);
    this.turnTo((this.at + 1) % this.guesses.length);
  }

  /** @param {number} at */
  turnTo(at) {
    this.at = at;
    this.show();
    this.redraw();
  }

  /** @param {boolean} isYes */
  answer(isYes) {
    if (this.answers[this.at] !== null) return;
    this.answers[this.at] = isYes;
    this.show();
    this.isRevealing = true;
    this.redraw();
  }

  get right() {
    return this.guesses.filter(({ accepted }, place) => this.answers[place] === accepted).length;
  }

  get answered() {
    return this.answers.filter((each) => each !== null).length;
  }

  show() {
    const { host, labels, guesses, answered } = this;
    const guess = guesses[this.at];
    const isOpen = this.answers[this.at] === null;
    const before = guess.before
      .slice(-150)
      .replaceAll("\n", " ↵ ")
      .replace(/^\S*\s/, "");
    const always = guesses.filter(({ accepted }, place) => accepted && this.answers[place] !== null).length;
    const focused = host.contains(document.activeElement) ? document.activeElement : null;
    render(
      html`<div class="learn-guess-left">
          <p class="learn-story" dir="auto" translate="no" .textContent=${`…${before}`}></p>
          <h2 class="learn-question">${boxed(fill(labels.will, { token: `“${guess.name}”` }))}</h2>
          <div class="learn-choices">
            ${this.choice("yes", labels.yes, labels.yes_note, "Y")} ${this.choice("no", labels.no, labels.no_note, "N")}
          </div>
          <p class="learn-reveal" role="status">${isOpen ? nothing : this.verdict(guess)}</p>
          <button
            type="button"
            class="learn-next"
            ?hidden=${isOpen}
            @click=${() => this.goOn()}
            .textContent=${answered === guesses.length ? labels.guess_again : labels.next_guess}
          ></button>
          <ol class="learn-list">
            ${guesses.map((each, place) => this.item(each, place))}
          </ol>
          <p class="learn-note" .textContent=${labels.list_note}></p>
        </div>
        <div class="learn-guess-right">
          <p class="learn-figures">
            <b .textContent=${fill(labels.score, { right: this.right, answered })}></b>
            ${plain(fill(labels.always, { right: always, answered }))}
          </p>
          <p class="learn-note" .textContent=${labels.guess_note}></p>
          <div class="ersd-decision-card">
            <div class="ersd-decision-plot learn-guess-race">
              <div class="learn-cover" ?hidden=${!isOpen}><b>?</b><span .textContent=${labels.hidden}></span></div>
            </div>
          </div>
        </div>`,
      host,
    );
    // a control that is off or hidden now passes its focus on
    if (!isOpen && focused?.matches("[data-answer]")) find(host, ".learn-next").focus({ preventScroll: true });
    if (isOpen && focused?.matches(".learn-next")) find(host, "[data-answer]").focus({ preventScroll: true });
    this.onScore(this.right, answered);
  }

  /** @param {"yes" | "no"} value @param {string} label @param {string} note @param {string} key */
  choice(value, label, note, key) {
    const [mine, isYes] = [this.answers[this.at], value === "yes"];
    return html`<button
      type="button"
      data-answer=${value}
      aria-pressed=${mine === isYes}
      ?disabled=${mine !== null}
      @click=${() => this.answer(isYes)}
    >
      <b .textContent=${label}></b><kbd .textContent=${key}></kbd><span .textContent=${note}></span>
    </button>`;
  }

  /** @param {T.Learn.Guess} guess */
  verdict({ accepted, decision }) {
    const word = this.answers[this.at] === accepted ? this.labels.right : this.labels.wrong;
    return html`<b .textContent=${`${word} `}></b>${boxed(decision.say)}`; // no ✓ or ✕: these say what the target did
  }

  /** @param {T.Learn.Guess} guess @param {number} place */
  item({ accepted }, place) {
    const [answer, isHere] = [this.answers[place], place === this.at];
    if (answer === null) return html`<li aria-current=${isHere ? "true" : nothing} .textContent=${isHere ? "?" : ""}></li>`;
    const look = classes(accepted ? "accepted" : "rejected", answer === accepted && "mine");
    return html`<li class=${look} aria-current=${isHere ? "true" : nothing} .textContent=${accepted ? "✓" : "✕"}></li>`;
  }

  /** @param {T.PageLook} look */
  async draw(look) {
    const isRevealed = this.isRevealing; // the target's half runs now
    this.isRevealing = false;
    if (!look.width) return;
    const guess = this.guesses[this.at];
    await this.picture.draw(/** @type {T.StepMessage} */ (STEP), guess.decision, look);
    this.picture.known = this.answers[this.at] === null ? HIDDEN : ALL;
    if (isRevealed) this.picture.run(() => {}, 1);
    else this.picture.render();
  }
}
