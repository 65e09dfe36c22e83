// Will it be accepted? A real step's first guess, the draft's half of the race, two answers; then the target's half runs.

/** @import * as T from "../types" */
import { make, turnOff } from "../base/dom.js";
import { lifetimeOf } from "../base/lifetime.js";
import { letterOf, paletteOf, watchLook } from "../base/look.js";
import { DecisionPicture } from "../decision/picture.js";
import { ALL } from "../decision/motion.js";
import { boxed } from "../panels/token_boxes.js";

const HIDDEN = { ...ALL, target: 0, scored: false };

/** The game. */
export class GuessGame {
  /**
   * @param {HTMLElement} host
   * @param {T.Kit} kit
   * @param {T.Learn.Guess[]} guesses
   * @param {Record<string, string>} labels
   * @param {(right: number, answered: number) => void} onScore
   */
  constructor(host, kit, guesses, labels, onScore) {
    this.kit = kit;
    this.guesses = guesses;
    this.labels = labels;
    this.onScore = onScore;
    this.at = 0;
    /** @type {(boolean | null)[]} what was answered */
    this.answers = guesses.map(() => null);
    this.story = Object.assign(make("p", "learn-story"), { dir: "auto", translate: false });
    this.headline = make("h2", "learn-question");
    this.figures = make("p", "learn-figures");
    this.buttons = make("div", "learn-choices");
    for (const [value, label, note, key] of /** @type {const} */ ([
      ["yes", labels.yes, labels.yes_note, "Y"],
      ["no", labels.no, labels.no_note, "N"],
    ])) {
      const button = make("button");
      button.type = "button";
      button.dataset.answer = value;
      button.append(make("b", "", label), make("kbd", "", key), make("span", "", note));
      button.addEventListener("click", () => this.answer(value === "yes"));
      this.buttons.append(button);
    }
    this.verdict = make("p", "learn-reveal");
    this.verdict.setAttribute("role", "status");
    this.next = make("button", "learn-next", labels.next_guess);
    this.next.type = "button";
    this.next.addEventListener("click", () => this.goOn());
    const race = make("div", "ersd-race-card");
    this.plot = make("div", "ersd-race-plot learn-guess-race");
    race.append(this.plot);
    this.cover = make("div", "learn-cover");
    this.cover.append(make("b", "", "?"), make("span", "", labels.hidden));
    this.plot.append(this.cover);
    this.list = make("ol", "learn-list");
    const left = make("div", "learn-guess-left");
    left.append(this.story, this.headline, this.buttons, this.verdict, this.next, this.list, make("p", "learn-note", labels.list_note));
    const right = make("div", "learn-guess-right");
    right.append(this.figures, make("p", "learn-note", labels.guess_note), race);
    host.replaceChildren(left, right);
    this.picture = new DecisionPicture(this.plot, kit);
    watchLook(lifetimeOf(host), () => void this.draw(), [this.plot]);
    this.turnTo(0);
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
    void this.draw();
  }

  /** @param {boolean} isYes */
  answer(isYes) {
    if (this.answers[this.at] !== null) return;
    this.answers[this.at] = isYes;
    this.show();
    void this.draw(true);
  }

  get right() {
    return this.guesses.filter(({ accepted }, place) => this.answers[place] === accepted).length;
  }

  get answered() {
    return this.answers.filter((each) => each !== null).length;
  }

  show() {
    const { labels, at } = this;
    const guess = this.guesses[at];
    const mine = this.answers[at];
    this.story.textContent = `…${guess.before
      .slice(-150)
      .replaceAll("\n", " ↵ ")
      .replace(/^\S*\s/, "")}`;
    this.headline.replaceChildren(...boxed(labels.will.replace("{token}", `“${guess.name}”`)));
    const answers = [...this.buttons.querySelectorAll("button")];
    const hasFocus = this.next === document.activeElement;
    this.next.hidden = mine === null;
    this.next.textContent = this.answered === this.guesses.length ? labels.guess_again : labels.next_guess;
    for (const button of answers) {
      turnOff(button, mine !== null, this.next);
      button.setAttribute("aria-pressed", String(mine !== null && (button.dataset.answer === "yes") === mine));
    }
    this.verdict.replaceChildren();
    if (mine !== null) {
      const isRight = mine === guess.accepted;
      this.verdict.append(
        make("b", "", `${isRight ? labels.right : labels.wrong} `), // no ✓ or ✕: these say what the target did
        ...boxed(guess.decision.say),
      );
    }
    if (hasFocus && this.next.hidden) answers[0].focus({ preventScroll: true });
    this.cover.hidden = mine !== null;
    const always = this.guesses.filter(({ accepted }, place) => accepted && this.answers[place] !== null).length;
    const score = labels.score.replace("{right}", String(this.right)).replace("{answered}", String(this.answered));
    const base = labels.always.replace("{right}", String(always)).replace("{answered}", String(this.answered));
    this.figures.replaceChildren(make("b", "", score), ` ${base}`);
    this.list.replaceChildren(
      ...this.guesses.map(({ accepted }, place) => {
        const answer = this.answers[place];
        const item = make("li", answer === null ? "" : (accepted && "accepted") || "rejected", place === at && answer === null ? "?" : "");
        if (answer !== null) item.textContent = accepted ? "✓" : "✕";
        if (answer !== null && answer === accepted) item.classList.add("mine");
        if (place === at) item.setAttribute("aria-current", "true");
        return item;
      }),
    );
    this.onScore(this.right, this.answered);
  }

  /** @param {boolean} [isRevealed] the target's half runs now */
  async draw(isRevealed = false) {
    const { clientWidth: width, clientHeight: height } = this.plot;
    if (!width) return;
    const guess = this.guesses[this.at];
    const size = { width, height, letter: letterOf(this.plot) };
    const step = /** @type {T.StepMessage} */ (/** @type {unknown} */ (guess));
    await this.picture.draw(step, guess.decision, size, { palette: paletteOf(this.kit.palettes) });
    this.picture.known = this.answers[this.at] === null ? HIDDEN : ALL;
    if (isRevealed) this.picture.run(() => {}, 1);
    else this.picture.render();
  }
}
