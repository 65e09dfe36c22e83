// The parts of a player that are words and numbers: text, tiles, the sentences beside the race, the status line.
// Whatever a model or a user wrote is set as text, never as HTML.

import { captions } from "./butterfly.js";
import { make, panelOf } from "./dom.js";
import { Theory } from "./theory.js";
import { Tries } from "./coin_list.js";
import { about } from "./format.js";

const LEGENDS = {
  race: [["drafted", "drafted"], ["bar", "not drafted"], ["leader", "◆ draft’s first"], ["target", "★ target’s first"]],
  coins: [["rejected", "✕ tried, rejected"], ["accepted", "✓★ accepted"], ["target", "★ drawn from what is left"]],
  block: [["rejected", "✕ cut"], ["accepted", "✓★ kept"], ["target", "★ drawn from what is left"]],
  leaf: [["target", "★ the target’s own token"]],
  likelihood: [["drafted", "drafted"], ["leader", "◆ draft’s likeliest"], ["target", "★ target’s likeliest"]],
};
const FACTS = { kl: "KL", d_hm: "D_HM", entropy: "entropy", rho: "ρ*", bias: "TV paid" };
const SIDES = {
  race: ["draft's race  E / Q", "target's race  E / P"],
  coins: ["draft  q", "target  p"],
  block: ["draft  q", "target  p"],
  likelihood: ["draft  q", "target  p"],
  leaf: ["draft  q", "target  p"],
};

export class Panels {
  // on.step(index), on.vertex(vertex) and on.view(try or null) are what a reader can ask for.
  constructor(root, kit, on) {
    Object.assign(this, { root, kit, on, spans: [] });
    const find = (name) => root.querySelector(`.ersd-${name}`);
    this.text = find("text");
    this.status = find("status");
    this.where = find("where");
    this.race = find("race-card");
    this.theory = new Theory(find("theory"), kit);
    this.tries = new Tries(find("tries"), { vertex: on.vertex, view: (tried) => this.view(tried) });
    this.tiles = {};
    for (const tile of kit.tiles) find("stats").append(this.tile(tile));
    this.text.addEventListener("click", (event) => {
      const span = event.target.closest("[data-at]");
      if (span) this.on.step(Number(span.dataset.at));
    });
  }

  tile({ id, label, help }) {
    const box = make("div", `ersd-tile ersd-tile-${id}`);
    box.title = help;
    const value = make("div", "ersd-value", "–");
    const small = make("div", "ersd-small", "\u00a0");
    box.append(make("div", "ersd-label", label), value, small);
    this.tiles[id] = { value, small };
    return box;
  }

  say(words, kind = "") {
    this.status.textContent = words;
    this.status.dataset.kind = kind;
  }

  begin(message) {
    this.spans = [];
    this.total = 0;
    this.theory.begin(message.theory);
    this.root.classList.remove("coins");
    this.root.style.setProperty("--tree", `${message.tree.height}px`);
    this.root.querySelector(".ersd-warning").textContent = message.warning;
    this.text.replaceChildren(make("span", "ersd-prompt", message.prompt));
  }

  add(step) {
    const mine = step.text.map(([text, source, tie, hover]) => {
      const span = make("span", `ersd-token ${source}${tie ? " near-tie" : ""}`, text);
      span.title = hover;
      span.dataset.at = step.n;
      return span;
    });
    // the room for a list of coins is made once, so that nothing moves from step to step
    if (step.block || Object.values(step.panels).some((panel) => panel.tries)) this.root.classList.add("coins");
    this.spans.push(mine);
    this.text.append(...mine);
    this.total = this.spans.length;
  }

  draw(step, at, vertex) {
    this.drawText(at);
    this.drawTiles(step, vertex);
    this.drawRace(step, vertex);
    this.theory.draw(step, vertex);
    const digits = String(this.total).length;
    this.where.textContent = `step ${String(at + 1).padStart(digits, "\u2007")} / ${this.total} · ${step.title}`;
  }

  drawText(at) {
    this.spans.forEach((mine, i) => {
      for (const span of mine) {
        span.classList.toggle("here", i === at);
        span.classList.toggle("later", i > at);
      }
    });
    // the text box scrolls by itself, the page does not; on the next frame, when all is laid out and asking costs nothing
    requestAnimationFrame(() => this.scrollText(this.spans[at]?.at(-1)));
  }

  scrollText(last) {
    if (!last) return;
    const box = this.text.getBoundingClientRect();
    const mark = last.getBoundingClientRect();
    if (mark.top < box.top || mark.bottom > box.bottom) {
      // the step's line becomes the last but one, and no line is cut in half
      const line = parseFloat(getComputedStyle(this.text).lineHeight);
      const row = Math.floor((mark.top - box.top + this.text.scrollTop) / line);
      this.text.scrollTop = (row + 2) * line - this.text.clientHeight;
    }
  }

  drawTiles(step, vertex) {
    for (const id of ["per-call", "accepted", "speed"]) this.put(id, ...step.stats[id]);
    const facts = panelOf(step, vertex)?.facts || [];
    for (const [id, words] of [["tv", "0 alike, 1 apart"], ["match", "first arrivals, here"]]) {
      const value = facts[this.kit.race.facts.indexOf(id)] ?? null;
      this.put(id, value === null ? "–" : value.toFixed(2), value === null ? "no draft here" : words);
    }
    this.drawRanks(step.stats["by-rank"]);
    this.drawTime(step.stats.time);
  }

  put(id, value, small) {
    this.tiles[id].value.textContent = value;
    this.tiles[id].small.textContent = small;
  }

  drawRanks(shares) {
    const { value, small } = this.tiles["by-rank"];
    if (!value.firstElementChild) {
      value.replaceChildren(...shares.map(() => make("i", "ersd-bar")));
      small.replaceChildren(...shares.map((_, i) => make("b", "", String(i + 1))));
    }
    shares.forEach((share, i) => {
      const bar = value.children[i];
      bar.style.setProperty("--share", share);
      bar.title = `rank ${i + 1}: ${(100 * share).toFixed(0)}% of the visits`;
      bar.dataset.share = share ? Math.round(100 * share) : "";
    });
  }

  drawTime(parts) {
    const { value, small } = this.tiles.time;
    const names = ["draft", "target", "verify"];
    if (!value.firstElementChild) {
      value.replaceChildren(...names.map((name) => make("i", `ersd-part ${name}`)));
      small.replaceChildren(...names.map((name) => make("b", name)));
    }
    const sum = parts.reduce((all, one) => all + one, 0) || 1;
    parts.forEach((ms, i) => {
      const digits = ms >= 10 ? 0 : 1;
      value.children[i].style.flexGrow = Math.max(0.02, ms / sum);
      value.children[i].title = `${names[i]} ${ms} ms`;
      small.children[i].textContent = `${names[i]} ${ms.toFixed(digits)}`;
    });
  }

  drawRace(step, vertex) {
    const find = (name) => this.race.querySelector(`.ersd-${name}`);
    const shown = panelOf(step, vertex);
    const absent = this.absent(step, vertex);
    this.shown = shown;
    find("race-title").textContent = shown ? shown.title : "No race here";
    find("say").textContent = shown ? shown.say : absent;
    find("note").textContent = shown ? absent : "";
    const facts = shown ? this.kit.race.facts.map((name, i) => [FACTS[name], shown.facts[i]]) : [];
    find("facts").textContent = facts.filter(([name, value]) => name && value !== null).map(([name, value]) => `${name} ${value.toFixed(2)}`).join(" · ");
    const sides = shown ? SIDES[shown.kind] : ["", ""];
    this.race.querySelector(".left").textContent = shown && shown.q ? sides[0] : "";
    this.race.querySelector(".right").textContent = sides[1];
    const legend = shown ? LEGENDS[shown.kind] : [];
    find("race-legend").replaceChildren(...legend.map(([colour, words]) => make("span", `ersd-key ${colour}`, words)));
    if (!shown || !shown.tries) find("view").textContent = "";
    this.tries.draw(step, shown, vertex);
  }

  // The race as it was at one of its tries; null: as it was decided.
  view(tried) {
    const words = captions(this.shown, tried);
    this.race.querySelector(".ersd-view").textContent = words.under;
    this.race.querySelector(".left").textContent = words.draft;
    this.race.querySelector(".right").textContent = words.target;
    this.on.view(tried);
  }

  // What to say at a vertex without a decision of its own.
  absent(step, vertex) {
    if (vertex === null || step.panels[vertex] || vertex >= step.parents.length) return "";
    const { words } = this.kit;
    const said = step.block ? step.tree.why[vertex] : about(words.absent, step.tree.names[vertex]);
    return `${said} ${step.panels[step.parents[vertex]] ? words.about : words.nothing}`;
  }
}
