// Compares the values of the controls with the settings of the run on the screen. A run says which of its settings mattered.

/** @import * as T from "../types" */

/** @typedef {Record<string, unknown>} Values  of the controls, by field */

const CHANGED = "The settings have changed since this run: press Generate.";

/** Marks a run as stale when a setting that mattered was changed, and reports when the field of an error was changed. */
export class SettingsMatch {
  /**
   * @param {HTMLElement} host carries data-stale.
   * @param {HTMLElement} note
   * @param {() => void} onMended called when the field at fault has another value than at the error.
   * @param {T.AltText} altText announces it to screen readers.
   */
  constructor(host, note, onMended, altText) {
    this.host = host;
    this.altText = altText;
    this.note = note;
    /** @type {T.BeginMessage | undefined} */
    this.run = undefined;
    /** @type {Values | undefined} */
    this.values = undefined;
    /** @type {{ field: string, value: unknown } | undefined} */
    this.fault = undefined;
    this.onMended = onMended;
  }

  /** @param {Values} values that the controls have now. */
  compare(values) {
    // an error of the link comes before the first values
    if (!this.values && this.fault) this.fault.value = values[this.fault.field];
    this.values = values;
    if (this.fault && values[this.fault.field] !== this.fault.value) {
      this.fault = undefined;
      this.onMended();
    }
    this.mark();
  }

  /** @param {T.BeginMessage} run */
  begin(run) {
    this.run = run;
    this.fault = undefined;
    this.mark();
  }

  /** An error came. @param {string} field the one at fault; empty for none. */
  fail(field) {
    this.fault = field ? { field, value: this.values?.[field] } : undefined;
  }

  mark() {
    const { run, values } = this;
    const isStale = run !== undefined && values !== undefined && differs(run, values);
    const wasStale = this.host.dataset.stale === "true";
    if (isStale && !wasStale) this.altText.announce(CHANGED);
    this.host.dataset.stale = String(isStale);
    this.note.textContent = isStale ? CHANGED : "";
  }
}

/** @param {T.BeginMessage} run @param {Values} values */
function differs({ prompt, models, settings, used }, values) {
  /** @type {Values} */
  const made = { prompt, models, ...Object.fromEntries(used.map((field) => [field, settings[field]])) };
  return Object.entries(made).some(([field, value]) => plain(value) !== plain(values[field]));
}

/** A list or number in the spelling of a control. @param {unknown} value */
function plain(value) {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" && /^[\d\s,]+$/.test(value) ? value.replaceAll(/\s/g, "") : String(value);
}
