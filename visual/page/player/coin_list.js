// The list under the race: one row per coin of a rejection rule, to look at the race as it was at that try; for block
// verification one row per drafted token with its joint acceptance.

import { inView } from "./butterfly.js";
import { make } from "./dom.js";
import { number } from "./format.js";

const BLOCK_HEAD = ["", "token", "p/q", "joint", "keep", "coin", ""];

// A coin on a line from 0 to 1; below the limit it is a success.
function coinLine(coin, limit) {
  const line = make("span", `ersd-coin ${coin < limit ? "yes" : "no"}`);
  line.style.setProperty("--limit", Math.min(1, limit));
  line.style.setProperty("--coin", coin);
  line.title = `coin ${number(coin, 3)} ${coin < limit ? "below" : "not below"} ${number(limit, 3)}`;
  return line;
}

function row(className, ...parts) {
  const button = make("button", className);
  button.type = "button";
  button.append(...parts);
  const item = make("li");
  item.append(button);
  return item;
}

export class Tries {
  // on.view(try or null): show the race at a try; on.vertex(vertex): show the decision about a token.
  constructor(list, on) {
    Object.assign(this, { list, on, shown: null, chosen: null });
    const tried = (event) => {
      const button = event.target.closest("[data-try]");
      return button ? Number(button.dataset.try) : null;
    };
    // a tap is a click and no hovering
    list.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.look(tried(event)));
    list.addEventListener("pointerleave", () => this.look(null));
    list.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && this.look(tried(event)));
    list.addEventListener("focusout", () => this.look(null));
    list.addEventListener("click", (event) => {
      const vertex = event.target.closest("[data-vertex]");
      if (vertex) this.on.vertex(Number(vertex.dataset.vertex));
      else this.choose(tried(event));
    });
  }

  choose(tried) {
    this.chosen = tried === this.chosen ? null : tried;
    this.look(null);
  }

  // Shows the race at a try, or at the one chosen; without either as it was decided.
  look(tried) {
    const view = tried === null ? this.chosen : tried;
    const panel = this.panel;
    if (!panel || !panel.tries) return;
    const at = view === null ? inView(panel, null) ?? panel.tries.length : view;
    for (const button of this.list.querySelectorAll("[data-try]")) {
      button.classList.toggle("shown", Number(button.dataset.try) === at);
      button.setAttribute("aria-pressed", String(Number(button.dataset.try) === this.chosen));
    }
    this.on.view(view);
  }

  draw(step, panel, vertex) {
    const key = step.block ? step : panel;
    if (this.shown === key && this.vertex === vertex) return this.look(null);
    Object.assign(this, { shown: key, vertex, panel, chosen: null });
    const rows = step.block ? this.block(step, panel, vertex) : panel && panel.tries ? this.coins(step, panel) : [];
    this.list.classList.toggle("block", Boolean(step.block));
    if (!rows.length && !this.list.firstChild) return this.look(null);
    this.list.replaceChildren(...rows);
    this.list.scrollTop = 0;
    this.look(null);
    // the try that decided is in sight; only the list scrolls, never the page
    const sight = this.list.querySelector(".decides, .shown");
    if (sight) this.list.scrollTop = Math.max(0, sight.parentElement.offsetTop - this.list.clientHeight + sight.offsetHeight + 8);
  }

  coins(step, panel) {
    const rows = panel.tries.map(([vertex, , coin, ratio, accepted, , say], i) => {
      const state = accepted ? "accepted" : "rejected";
      const name = make("span", "name", step.tree.names[vertex]);
      const item = row(state, make("b", "", String(i + 1)), make("i", "", accepted ? "✓" : "✕"), name, coinLine(coin, ratio), make("small", "", say));
      item.firstChild.dataset.try = i;
      return item;
    });
    if (!panel.tries.some((one) => one[4])) {
      const name = make("span", "name", panel.names[panel.marks.indexOf("t")] || "");
      const last = row("target", make("b"), make("i", "", "★"), name, make("small", "", "drawn from what is left of P"));
      last.firstChild.dataset.try = panel.tries.length;
      rows.push(last);
    }
    return rows;
  }

  block(step, panel, vertex) {
    const { kept, rows } = step.block;
    const about = step.parents[vertex] === undefined ? null : vertex;
    const head = make("li", "head");
    head.append(...BLOCK_HEAD.map((words) => make("span", "", words)));
    const items = rows.map(([ratio, joint, keep, coin], i) => {
      const stays = i < kept;
      const numbers = [ratio, joint, keep, coin].map((value) => make("span", "", number(value)));
      const sign = make("i", "", stays ? "✓" : "✕");
      const item = row(stays ? "accepted" : "rejected", sign, make("span", "name", step.tree.names[i]), ...numbers, coinLine(coin, keep));
      item.firstChild.dataset.vertex = i;
      item.firstChild.title = step.tree.why[i];
      item.firstChild.classList.toggle("shown", i === about);
      item.firstChild.classList.toggle("decides", i === kept - 1);
      if (i === kept) item.classList.add("cut");
      return item;
    });
    return [head, ...items];
  }
}
