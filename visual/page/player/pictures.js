// The three Plotly pictures of a player: tree, race, timeline. Templates and layouts come once in the kit, each step brings its
// numbers only. Colours are names ("$accepted"), resolved here for the light or the dark page.

import { Butterfly } from "./butterfly.js";
import { panelOf } from "./dom.js";
import { Tree } from "./draft_tree.js";

const DATA_KEYS = new Set(["text", "hovertext", "customdata"]); // written by models and users: never looked at for colours
const CONFIG = { displayModeBar: false, responsive: false, doubleClick: false, showTips: false };
const TREE_MARGIN = 30; // pixels of a tree that are not rows
const BARS_MS = 400; // while a run comes in, its bars come a few at a time: the models need the processor

function resolve(value, palette, key) {
  if (DATA_KEYS.has(key)) return value;
  if (Array.isArray(value)) return value.map((one) => resolve(one, palette, key));
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, palette, name)]));
  return typeof value === "string" && value[0] === "$" ? palette[value.slice(1)] : value;
}

// A template with a step's data in it; `marker` and the like are merged one level deep.
function fill(template, data, palette) {
  const trace = { ...template };
  for (const [key, value] of Object.entries(resolve(data, palette))) {
    const nested = value && typeof value === "object" && !Array.isArray(value) && template[key];
    trace[key] = nested ? { ...template[key], ...value } : value;
  }
  return trace;
}

export const isDark = () => Boolean(document.querySelector("body.dark, html.dark"));

export class Pictures {
  constructor(root, kit, on) {
    Object.assign(this, { root, kit, on, bars: [], drawn: null, tried: null, plotly: window.Plotly, butterfly: new Butterfly(kit) });
    this.trees = new WeakMap(); // step -> its Tree
    this.tree = root.querySelector(".ersd-tree");
    this.race = root.querySelector(".ersd-race-plot");
    this.timeline = root.querySelector(".ersd-timeline");
    this.tree.innerHTML = "<div></div>";
    this.treePlot = this.tree.firstChild;
    this.listening = new Set();
    this.recolour();
    new MutationObserver(() => this.recolour() && this.redraw()).observe(document.body, { attributes: true, attributeFilter: ["class"] });
    this.resized = new ResizeObserver(() => this.measure() && this.redraw());
    for (const each of [root, this.tree, this.race, this.timeline]) this.resized.observe(each);
    this.measure();
  }

  // Takes the sizes of the panels, once and not while drawing: asked for between two changes of the page, each costs a layout of all
  // of it. True if they changed.
  measure() {
    const sizes = {};
    for (const name of ["root", "tree", "race", "timeline"]) sizes[name] = [this[name].clientWidth, this[name].clientHeight];
    const changed = JSON.stringify(sizes) !== JSON.stringify(this.sizes);
    this.sizes = sizes;
    return changed;
  }

  // Takes the page's palette; true if it changed.
  recolour() {
    const mode = isDark() ? "dark" : "light";
    if (mode === this.mode) return false;
    this.mode = mode;
    this.palette = this.kit.palettes[mode];
    this.templates = resolve(this.kit.templates, this.palette);
    this.layouts = resolve(this.kit.layouts, this.palette);
    return true;
  }

  begin(message) {
    this.style = message.tree;
    this.bars = [];
    this.columns = 2;
    this.rows = 1;
    this.top = 5;
    this.slots = 24;
    Object.assign(this, { live: true, barsAt: 0 });
    this.tree.style.height = `${this.style.height}px`;
    this.sizes.tree[1] = this.style.height;
  }

  add(step) {
    const tree = this.treeOf(step);
    this.bars.push(step.bar);
    this.columns = Math.max(this.columns, tree.columns);
    this.rows = Math.max(this.rows, tree.rows);
    this.top = Math.max(this.top, step.bar[0] + step.bar[1]);
    while (this.slots < this.bars.length) this.slots *= 2; // room is made in few large steps, not with every bar
  }

  treeOf(step) {
    if (!this.trees.has(step)) this.trees.set(step, new Tree(step, this.style, this.kit));
    return this.trees.get(step);
  }

  finish() {
    this.live = false;
    this.slots = Math.max(24, this.bars.length);
  }

  redraw() {
    if (this.drawn) this.draw(...this.drawn);
  }

  async draw(step, index, vertex) {
    if (!this.plotly) this.plotly = window.Plotly;
    if (!this.sizes.root[0]) return; // in a hidden tab; the resize observer draws it when it is shown
    const fresh = !this.drawn || this.drawn[0] !== step;
    if (fresh || this.drawn[2] !== vertex) this.tried = null;
    this.drawn = [step, index, vertex];
    await Promise.all([this.drawTree(step, fresh, vertex), this.drawRace(step, vertex), this.drawTimeline(index)]);
  }

  async react(plot, data, layout, click) {
    const drawn = this.plotly.react(plot, data, layout, ...(plot._fullLayout ? [] : [CONFIG]));
    // every size is in the layout; asked for by Plotly before each drawing, it costs a layout of the whole page
    Object.assign(plot._context, { _hasZeroWidth: true, _hasZeroHeight: true });
    await drawn;
    if (click && !this.listening.has(plot)) {
      this.listening.add(plot);
      plot.on("plotly_click", click);
    }
  }

  async drawTree(step, fresh, vertex) {
    const { columns, rows } = this;
    const [panelWidth, panelHeight] = this.sizes.tree;
    const room = panelHeight - TREE_MARGIN - 4;
    const pitch = Math.max(this.style.row, Math.min(this.style.boxes ? 46 : 56, room / (rows + 1.2)));
    const height = Math.max(room, pitch * (rows + 1.2));
    const half = (height / pitch - rows) / 2; // rows of air above and below, so that a small tree stands in the middle
    const width = Math.max(panelWidth, this.style.pitch * columns + 12);
    // a few columns keep together on a wide panel
    const spare = Math.max(0, (width - 12) / (this.style.pitch * 1.7) - columns);
    const lead = this.style.boxes || columns < 3 ? 0.5 : this.style.alternate ? 0.8 : 0.25;
    const tree = this.treeOf(step);
    const pixels = [height / (rows + 2 * half), (width - 12) / (columns + spare)]; // of one row, of one column
    const shapes = [...tree.shapes(...pixels), vertex === null ? null : tree.ring(vertex)].filter(Boolean);
    const layout = { ...this.layouts.tree, width, height: height + TREE_MARGIN, shapes: resolve(shapes, this.palette) };
    const ticks = Array.from({ length: columns }, (_, i) => i);
    const named = ticks.map((i) => (i ? `+${i}` : this.style.alternate ? "now" : "text so far"));
    layout.xaxis = { ...layout.xaxis, range: [-lead, columns - lead + spare], tickvals: ticks, ticktext: named };
    layout.yaxis = { ...layout.yaxis, range: [rows - 0.5 + half, -0.5 - half] };
    const name = this.style.boxes ? "tree-boxes" : "tree-markers";
    const data = tree.data(...pixels).map((one, i) => fill(this.templates[name][i], one, this.palette));
    await this.react(this.treePlot, data, layout, (event) => {
      const point = event.points.find((each) => each.customdata !== undefined);
      if (point) this.on.vertex(point.customdata);
    });
    const fits = layout.width <= panelWidth && layout.height <= panelHeight;
    if (fresh && !(fits && this.fitted)) this.bring(tree.end, layout);
    this.fitted = fits;
  }

  // Scrolls a tree larger than its panel to where the walk ended; one that fits does not move.
  bring({ column, row }, layout) {
    const [left, right] = layout.xaxis.range;
    const [bottom, top] = layout.yaxis.range;
    const x = ((column - left) / (right - left)) * layout.width;
    const y = ((row - top) / (bottom - top)) * (layout.height - TREE_MARGIN) + TREE_MARGIN;
    const [panelWidth, panelHeight] = this.sizes.tree;
    this.tree.scrollLeft = x < panelWidth - 40 ? 0 : x - panelWidth * 0.75;
    this.tree.scrollTop = y < panelHeight - 20 ? 0 : y - panelHeight * 0.75;
  }

  // Shows the race as it was at one of its tries; null: as it was decided.
  view(tried) {
    if (!this.drawn || tried === this.tried) return;
    this.tried = tried;
    this.drawRace(this.drawn[0], this.drawn[2]);
  }

  async drawRace(step, vertex) {
    const panel = panelOf(step, vertex);
    this.race.style.visibility = panel ? "visible" : "hidden"; // the place stays, so nothing moves
    if (!panel) return;
    const [width, height] = this.sizes.race;
    const size = { width, height, drafted: step.parents.length > 0 };
    const layout = this.butterfly.layout(this.layouts.race, panel, this.tried, size);
    layout.shapes = resolve(layout.shapes || [], this.palette);
    const drawn = this.butterfly.data(panel, this.tried, size.width);
    const data = Object.entries(this.templates.race).map(([name, template]) => fill(template, drawn[name], this.palette));
    await this.react(this.race, data, layout);
  }

  async drawTimeline(index) {
    const newest = index === this.bars.length - 1;
    if (this.live && newest && performance.now() - this.barsAt < BARS_MS) return;
    this.barsAt = performance.now();
    const steps = this.bars.map((_, i) => i + 1);
    const words = this.bars.map(([accepted, own], i) => `step ${i + 1}: ${accepted} accepted${own ? " + " + own : ""}`);
    const marker = { opacity: this.bars.map((_, i) => (i === index ? 1 : 0.4)) };
    const filled = [0, 1].map((part) => ({ x: steps, y: this.bars.map((bar) => bar[part]), hovertext: words, marker }));
    const layout = { ...this.layouts.timeline, width: this.sizes.timeline[0] };
    layout.xaxis = { ...layout.xaxis, range: [0.4, this.slots + 0.6] };
    layout.yaxis = { ...layout.yaxis, range: [0, this.top * 1.06] };
    const data = filled.map((one, i) => fill(this.templates.timeline[i], one, this.palette));
    await this.react(this.timeline, data, layout);
    if (!this.listening.has("timeline")) {
      this.listening.add("timeline");
      // anywhere in a step's column, not only on its bar
      this.timeline.addEventListener("click", (event) => {
        const { xaxis } = this.timeline._fullLayout;
        const x = event.clientX - this.timeline.getBoundingClientRect().left - xaxis._offset;
        const step = Math.round(xaxis.p2l(x));
        if (step >= 1 && step <= this.bars.length) this.on.step(step - 1);
      });
    }
  }
}
