// A run as a file: saved as a page of its own or as its trace, and opened again. Everything that is saved is in the browser already; what is
// opened is read and checked by the server, which keeps nothing of it (visual/server/saved.py).

/** @import * as T from "../types" */
import { around, download, downloadText, find } from "../base/dom.js";
import { fetched } from "../base/questions.js";
import { pictureOf } from "./snapshot.js";

const REPLAY = "replay"; // where a trace is read
const PAGE = "saved-page"; // where the page without a run is
const PLACE = "ERSD_RUN"; // in that page: where the run goes
const WORDS = "A saved run: it is played without any model.";
const ELSEWHERE = "ersd.Trace.from_json reads larger ones in Python.";
const UNSAVED = "The run could not be saved: the server does not answer. Try again in a moment.";
const NOTHING = "There is nothing to be saved before the first step.";

export class RunFiles {
  /**
   * @param {HTMLElement} root the player.
   * @param {{ steps: T.StepMessage[], first?: T.BeginMessage, last?: T.EndMessage }} run what was received of the one in view.
   * @param {{ show: (messages: string) => void, settle: () => Promise<void> }} on a run was opened; the step in view is to be at its end.
   */
  constructor(root, run, on) {
    this.root = root;
    this.run = run;
    this.on = on;
    this.dialog = /** @type {HTMLDialogElement} */ (find(root, ".ersd-files"));
    this.note = find(this.dialog, ".ersd-files-note");
    /** @type {File | undefined} */
    this.opening = undefined;
    this.input = /** @type {HTMLInputElement} */ (find(this.dialog, "input"));
    const button = find(root, ".ersd-save");
    button.addEventListener("click", () => this.open());
    this.dialog.addEventListener("click", (event) => {
      const form = around(event, "[data-save-run]")?.dataset.saveRun;
      if (form) void this.save(form).catch(() => this.say(UNSAVED));
      const picture = around(event, "[data-save-picture]")?.dataset;
      if (picture) void this.savePicture(picture.savePicture ?? "", /** @type {"svg" | "png"} */ (picture.format));
    });
    this.input.addEventListener("change", () => void this.read(this.input.files?.[0]));
    root.addEventListener("dragover", (event) => event.preventDefault());
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      const hasServer = getComputedStyle(find(this.dialog, "label")).display !== "none"; // a saved page has none to read it
      if (!hasServer || !button.offsetParent) return;
      this.open();
      void this.read(event.dataTransfer?.files[0]);
    });
  }

  open() {
    this.say("");
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** @param {string} words */
  say(words) {
    this.note.textContent = words;
  }

  get name() {
    const words = (this.run.first?.name ?? "run").replaceAll("τ*", "tau").replaceAll(/[^a-zA-Z0-9]+/g, "-");
    return words.replaceAll(/^-|-$/g, "").toLowerCase();
  }

  /** @param {string} form json or html */
  async save(form) {
    if (!this.run.steps.length) {
      this.say(NOTHING);
      return;
    }
    const text = form === "html" ? await this.page() : await this.trace();
    const name = `${this.name}.${form}`;
    downloadText(text, form === "html" ? "text/html" : "application/json", name);
    this.say(`Saved as ${name}.`);
  }

  /** @param {string} picture tree or race @param {"svg" | "png"} format */
  async savePicture(picture, format) {
    await this.on.settle();
    const image = await pictureOf(this.root, picture, format);
    const name = `${this.name}-${picture}.${format}`;
    if (image) download(image, name);
    this.say(image ? `Saved as ${name}.` : "There is no such picture in this step.");
  }

  async page() {
    const response = await fetched(PAGE);
    const { first, steps, last } = this.run;
    const messages = [first, ...steps, last].filter(Boolean);
    const recording = { type: "recording", words: WORDS, messages };
    const data = JSON.stringify(recording).replaceAll("<", "\\u003c"); // so that it stays inside its element
    return (await response.text()).split(PLACE).join(data);
  }

  /** The run as `ersd.Trace.to_json` writes it; one that was stopped, or goes on, with the steps that are there. */
  async trace() {
    const { first, steps, last } = this.run;
    const whole = await Promise.all(steps.map((step) => unpacked(step.trace ?? "")));
    const emitted = whole.flatMap((step) => step.emitted);
    return JSON.stringify({
      ...first?.trace,
      text: emitted.map(({ text }) => text).join(""),
      token_ids: emitted.map(({ token }) => token),
      steps: whole,
      stopped: last?.stopped ?? first?.trace?.stopped,
      ranks: last?.ranks ?? null,
    });
  }

  /** @param {File | undefined} file */
  async read(file) {
    if (!file) return;
    const most = Number(this.input.dataset.most); // bytes that the server takes
    if (file.size > most) {
      this.say(`${file.name}: it has ${megabytes(file.size)} MB, and at most ${megabytes(most)} MB can be opened here. ${ELSEWHERE}`);
      return;
    }
    this.say(`Reading ${file.name} …`);
    this.opening = file;
    const text = await file.text();
    this.input.value = "";
    const response = await fetch(new URL(REPLAY, document.baseURI), { method: "POST", body: text }).catch(() => null);
    const answer = (await response?.text()) ?? "";
    if (file !== this.opening) return; // another was opened meanwhile
    if (response?.ok) {
      this.dialog.close();
      this.on.show(answer);
    } else this.say(`${file.name}: ${reasonIn(answer)}`);
  }
}

/** @param {string} packed JSON, gzip, base64. @returns {Promise<{ emitted: { text: string, token: number }[] }>} a step of a trace. */
async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/** @param {string} answer */
function reasonIn(answer) {
  try {
    const { error, detail } = JSON.parse(answer);
    return error ?? detail ?? answer;
  } catch {
    return answer || "the server cannot be reached.";
  }
}
