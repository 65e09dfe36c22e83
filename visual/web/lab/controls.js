// The menus beside the columns: where to start from, rule, guesses, bug, tokens, seed, and how many trials.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { drawMenu, drawIn } from "../base/templates.js";
import { html } from "../lit-html.js";

export class Controls {
  /** @param {HTMLElement} root @param {T.Lab.LabKit} kit @param {{ change: (change: Partial<T.Lab.Choice>) => void, last: () => void }} on */
  constructor(root, kit, on) {
    this.root = root;
    this.kit = kit;
    this.on = on;
    const field = (/** @type {string} */ name) => find(root, `[data-field=${name}]`);
    this.rule = /** @type {HTMLSelectElement} */ (field("rule"));
    this.bug = /** @type {HTMLSelectElement} */ (field("bug"));
    this.k = /** @type {HTMLInputElement} */ (field("k"));
    this.tokens = /** @type {HTMLInputElement} */ (field("tokens"));
    this.seed = /** @type {HTMLInputElement} */ (field("seed"));
    this.k.max = String(kit.guesses);
    /** @type {T.Lab.Choice | null} */
    this.choice = null;
    this.listen();
  }

  listen() {
    const { labels, sizes, usual } = this.kit.presets;
    const [least, most] = [Object.keys(sizes)[0], Object.keys(sizes).at(-1)].map(Number);
    this.rule.addEventListener("change", () => {
      const bug = this.choice?.bug ?? "";
      const stays = this.kit.bugs[bug]?.rules.includes(this.rule.value);
      this.on.change({ rule: this.rule.value, bug: stays ? bug : "", trial: 0 });
    });
    this.bug.addEventListener("change", () => this.on.change({ bug: this.bug.value, trial: 0 }));
    this.k.addEventListener("input", () => this.on.change({ k: Number(this.k.value) }));
    this.tokens.addEventListener("change", () => {
      const size = this.whole(this.tokens, "Tokens", least, most);
      const start = this.choice && labels[this.choice.start] ? this.choice.start : usual.start;
      if (size !== null) this.start(start, size);
    });
    this.seed.addEventListener("change", () => {
      const seed = this.whole(this.seed, "Seed", 0, Number.MAX_SAFE_INTEGER);
      if (seed !== null) this.on.change({ seed });
    });
  }

  get size() {
    const { usual, sizes } = this.kit.presets;
    const size = this.choice?.names.length ?? usual.tokens;
    return sizes[size] && this.choice?.start !== "last" ? size : usual.tokens;
  }

  /** @param {string} start @param {number} size */
  start(start, size) {
    const { names, sizes } = this.kit.presets;
    this.on.change({ start, names: names.slice(0, size), ...sizes[size][start], trial: 0 });
  }

  /**
   * A whole number that was typed; null, with a message, if it is none.
   * @param {HTMLInputElement} field
   * @param {string} label
   * @param {number} least
   * @param {number} most
   */
  whole(field, label, least, most) {
    const value = Number(field.value);
    const isFine = field.value.trim() !== "" && Number.isInteger(value) && value >= least && value <= most;
    field.setAttribute("aria-invalid", String(!isFine));
    if (isFine) return value;
    const got = field.value.slice(0, 20);
    drawIn(this.root, { ".lab-note": `${label} must be a whole number from ${least} to ${most}, got “${got}”.` });
    return null;
  }

  /** @param {T.Lab.Choice} choice */
  draw(choice) {
    this.choice = choice;
    const { rules, bugs, presets, trials } = this.kit;
    const starts = Object.entries({ ...presets.labels, last: "Last step" });
    drawIn(this.root, {
      ".lab-starts": starts.map(([name, label]) => this.startButton(name, label)),
      ".lab-count": trials.map((count) => this.trialsButton(count)),
      ".lab-k-value": String(choice.k),
    });
    drawMenu(this.rule, Object.fromEntries(Object.entries(rules).map(([name, { label }]) => [name, label])), choice.rule);
    const known = Object.entries(bugs).filter(([, bug]) => bug.rules.includes(choice.rule));
    drawMenu(this.bug, { "": "Nothing", ...Object.fromEntries(known.map(([name, { label }]) => [name, label])) }, choice.bug);
    const bugField = find(this.root, ".lab-bug-field");
    bugField.hidden = !known.length;
    bugField.classList.toggle("chosen", choice.bug !== "");
    const { most, joint } = rules[choice.rule];
    find(this.root, ".lab-k-field").hidden = most !== null && most <= 1 && !joint;
    this.k.value = String(choice.k);
    if (this.tokens !== document.activeElement) this.tokens.value = String(choice.names.length);
    if (this.seed !== document.activeElement) this.seed.value = String(choice.seed);
  }

  /** @param {string} name @param {string} label */
  startButton(name, label) {
    const { sizes, usual } = this.kit.presets;
    const start = () => (name === "last" ? this.on.last() : this.start(name, this.size));
    return html`<button type="button" data-start=${name} aria-pressed=${this.choice?.start === name} @click=${start}>
      ${thumbnail(sizes[usual.tokens][name])}<span .textContent=${label}></span>
    </button>`;
  }

  /** @param {number} count */
  trialsButton(count) {
    const isChosen = count === this.choice?.trials;
    const choose = () => this.on.change({ trials: count });
    const label = count.toLocaleString("en");
    return html`<button type="button" data-count=${count} aria-pressed=${isChosen} @click=${choose} .textContent=${label}></button>`;
  }
}

/** A preset's shape: q filled, p as an outline. @param {T.Lab.Pair | undefined} pair of a real step it is not known before */
function thumbnail(pair) {
  if (!pair) return html`<i class="lab-thumbnail" aria-hidden="true">↺</i>`;
  const most = Math.max(...pair.p, ...pair.q);
  const bars = pair.q.map((q, place) => html`<b style="--q: ${q / most}; --p: ${pair.p[place] / most}"></b>`);
  return html`<i class="lab-thumbnail" aria-hidden="true">${bars}</i>`;
}
