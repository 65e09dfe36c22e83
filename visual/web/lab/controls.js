// The menus beside the columns: where to start from, rule, guesses, bug, tokens, seed, and how many trials.

/** @import * as T from "../types" */
import { around, find, make } from "../base/dom.js";

/** Draws the controls and reports changes. */
export class Controls {
  /**
   * @param {HTMLElement} root
   * @param {T.Lab.LabKit} kit
   * @param {(change: Partial<T.Lab.Choice>) => void} onChange
   * @param {{ last: () => void }} on
   */
  constructor(root, kit, onChange, on) {
    this.kit = kit;
    this.onChange = onChange;
    this.starts = find(root, ".lab-starts");
    this.rule = /** @type {HTMLSelectElement} */ (find(root, "[data-field=rule]"));
    this.bug = /** @type {HTMLSelectElement} */ (find(root, "[data-field=bug]"));
    this.bugField = find(root, ".lab-bug-field");
    this.k = /** @type {HTMLInputElement} */ (find(root, "[data-field=k]"));
    this.kField = find(root, ".lab-k-field");
    this.kValue = find(root, ".lab-k-value");
    this.tokens = /** @type {HTMLInputElement} */ (find(root, "[data-field=tokens]"));
    this.seed = /** @type {HTMLInputElement} */ (find(root, "[data-field=seed]"));
    this.trials = find(root, ".lab-count");
    this.note = find(root, ".lab-note");
    /** @type {T.Lab.Choice | null} */
    this.choice = null;
    this.fill();
    this.listen(on);
  }

  fill() {
    const { presets, rules, trials, guesses } = this.kit;
    const starts = { ...presets.labels, last: "Last step" };
    this.starts.replaceChildren(
      ...Object.entries(starts).map(([name, label]) => {
        const button = make("button");
        button.type = "button";
        button.dataset.start = name;
        button.append(thumbnail(presets.sizes[presets.usual.tokens][name] ?? null), make("span", "", label));
        return button;
      }),
    );
    this.rule.replaceChildren(...Object.entries(rules).map(([name, { label }]) => option(name, label)));
    this.k.max = String(guesses);
    this.trials.replaceChildren(
      ...trials.map((count) => {
        const button = make("button", "", count.toLocaleString("en"));
        button.type = "button";
        button.dataset.count = String(count);
        return button;
      }),
    );
  }

  /** @param {{ last: () => void }} on */
  listen(on) {
    this.starts.addEventListener("click", (event) => {
      const start = around(event, "[data-start]")?.dataset.start;
      if (start === "last") on.last();
      else if (start) this.start(start, this.size());
    });
    this.rule.addEventListener("change", () => {
      const bug = this.kit.bugs[this.choice?.bug ?? ""];
      const stays = bug?.rules.includes(this.rule.value);
      this.onChange({ rule: this.rule.value, bug: stays ? this.choice?.bug : "", trial: 0 });
    });
    this.bug.addEventListener("change", () => this.onChange({ bug: this.bug.value, trial: 0 }));
    this.k.addEventListener("input", () => this.onChange({ k: Number(this.k.value) }));
    this.trials.addEventListener("click", (event) => {
      const count = around(event, "[data-count]")?.dataset.count;
      if (count) this.onChange({ trials: Number(count) });
    });
    const [least, most] = [Object.keys(this.kit.presets.sizes)[0], Object.keys(this.kit.presets.sizes).at(-1)].map(Number);
    this.tokens.addEventListener("change", () => {
      const size = this.whole(this.tokens, "Tokens", least, most);
      const start = this.choice && this.kit.presets.labels[this.choice.start] ? this.choice.start : this.kit.presets.usual.start;
      if (size !== null) this.start(start, size);
    });
    this.seed.addEventListener("change", () => {
      const seed = this.whole(this.seed, "Seed", 0, Number.MAX_SAFE_INTEGER);
      if (seed !== null) this.onChange({ seed });
    });
  }

  size() {
    const { usual, sizes } = this.kit.presets;
    const size = this.choice?.names.length ?? usual.tokens;
    return sizes[size] && this.choice?.start !== "last" ? size : usual.tokens;
  }

  /** @param {string} start @param {number} size */
  start(start, size) {
    const { names, sizes } = this.kit.presets;
    this.onChange({ start, names: names.slice(0, size), ...sizes[size][start], trial: 0 });
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
    this.note.textContent = `${label} must be a whole number from ${least} to ${most}, got “${field.value.slice(0, 20)}”.`;
    return null;
  }

  /** @param {T.Lab.Choice} choice */
  draw(choice) {
    this.choice = choice;
    const { rules, bugs } = this.kit;
    for (const button of this.starts.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.start === choice.start));
    }
    this.rule.value = choice.rule;
    const known = Object.entries(bugs).filter(([, bug]) => bug.rules.includes(choice.rule));
    this.bug.replaceChildren(option("", "Nothing"), ...known.map(([name, { label }]) => option(name, label)));
    this.bug.value = choice.bug;
    this.bugField.hidden = !known.length;
    this.bugField.classList.toggle("chosen", choice.bug !== "");
    const { most } = rules[choice.rule];
    this.kField.hidden = most !== null && most <= 1 && !rules[choice.rule].joint;
    this.k.value = String(choice.k);
    this.kValue.textContent = String(choice.k);
    if (this.tokens !== document.activeElement) this.tokens.value = String(choice.names.length);
    if (this.seed !== document.activeElement) this.seed.value = String(choice.seed);
    for (const button of this.trials.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.count === String(choice.trials)));
    }
  }
}

/** @param {string} value @param {string} label */
function option(value, label) {
  const element = make("option", "", label);
  element.value = value;
  return element;
}

/**
 * A preset's shape: q filled, p as an outline.
 * @param {T.Lab.Pair | null} pair null: a real step, whose shape is not known before.
 */
function thumbnail(pair) {
  const picture = make("i", "lab-thumbnail");
  picture.setAttribute("aria-hidden", "true");
  if (!pair) {
    picture.textContent = "↺";
    return picture;
  }
  const most = Math.max(...pair.p, ...pair.q);
  for (const [place, value] of pair.q.entries()) {
    const bar = make("b");
    bar.style.setProperty("--q", String(value / most));
    bar.style.setProperty("--p", String(pair.p[place] / most));
    picture.append(bar);
  }
  return picture;
}
