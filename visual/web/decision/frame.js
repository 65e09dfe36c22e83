// The frame that races and coins share, in pixels: a centre with the tokens, a side for each model, a head above and an axis below; and which
// rows of a decision have room in it.

/** @import * as T from "../types" */

const NARROW = 420; // width up to which short words are used
const ROW = { most: 25, dense: 1.36, usual: 1.75, given: 27 / 13 }; // heights; in letters
const BREAK = 11; // height of the mark where rows are left out
const EDGE = 2;
const NO_WORDS = { title: "", note: "", short_note: "" };

/**
 * @typedef {object} Frame
 * @property {number} width
 * @property {number} height
 * @property {number} letter
 * @property {number} small
 * @property {boolean} isNarrow
 * @property {number} axisBelow lines from the ticks down to the words of the axis
 * @property {boolean} [hasCentreNote] the tokens in the centre have a word above them
 * @property {{ left: number, right: number }} centre
 * @property {number} scale pixels from the centre to the end of the axis
 * @property {number} head bottom of the head
 * @property {number} foot bottom of the rows
 * @property {number} row height of a row
 * @property {(T.Shown & { y: number })[]} rows from the top
 */

/** @param {T.Decision} decision @param {T.Size} size @param {T.Kit} kit @param {T.PictureKind} kind @returns {Frame} */
export function frameOf(decision, { width, height, letter }, kit, { centre: most, axisBelow }) {
  const isNarrow = width < NARROW * (letter / 13);
  const small = letter > 13 ? letter : letter - 1;
  const centreWidth = Math.round(Math.min(letter * most.letters, width * most.share));
  const centre = { left: Math.round((width - centreWidth) / 2), right: Math.round((width + centreWidth) / 2) };
  const head = letter * 1.25 + small * 1.35 + 6;
  const room = height - head - small * (1.7 + axisBelow) - BREAK;
  const needed = rowsNeeded(decision, kit.marks);
  const usual = Math.floor(room / (letter * ROW.usual));
  const count = Math.max(usual, Math.min(needed, Math.floor(room / (letter * ROW.dense))));
  const rows = decision.ranks ? rowsAsGiven(decision.ranks) : rowsShown(decision, count, kit.marks);
  const breaks = rows.filter(({ isAfterGap }) => isAfterGap).length;
  const free = room - BREAK * Math.max(0, breaks - 1);
  const row = decision.ranks
    ? Math.round(letter * ROW.given)
    : Math.max(letter * ROW.dense, Math.min(Math.max(ROW.most, letter * ROW.usual), free / rows.length));
  let y = head;
  const placed = rows.map((shown) => {
    if (shown.isAfterGap) y += BREAK;
    y += row;
    return { ...shown, y: y - row / 2 };
  });
  return {
    width,
    height,
    letter,
    small,
    isNarrow,
    axisBelow,
    centre,
    scale: centre.left - EDGE - letter,
    head,
    foot: y,
    row,
    rows: placed,
  };
}

/**
 * Draws what stands behind the rows: centre, heads, grid, ticks, and the tint of the chosen token's row.
 * @param {T.Layers} layers
 * @param {Frame} frame
 * @param {T.Decision} decision
 * @param {T.Kind} kind
 * @param {{ place: number, words: string, side?: "draft" | "target" }[]} ticks `side`: of one side alone
 */
export function drawFrame(layers, frame, decision, { bars }, ticks) {
  const { centre, head, foot, letter, small, isNarrow, axisBelow, hasCentreNote = false, scale, width, height } = frame;
  const tint = decision.marks[decision.chosen] === "target" ? "$target-soft" : "$accepted-soft";
  const tinted = (/** @type {number} */ from, /** @type {number} */ to) =>
    frame.rows.filter(({ row }) => row === decision.chosen).map(({ row, y }) => ({ from, to, y, colour: tint, row }));
  layers.bars("tint", tinted(0, width), frame.row - 1);
  const sides = [...(decision.q ? [{ name: "draft", edge: centre.left, way: -1 }] : []), { name: "target", edge: centre.right, way: 1 }];
  const middle = (centre.left + centre.right) / 2;
  const spots = sides.flatMap(({ name, edge, way }) =>
    ticks.filter(({ side = name }) => side === name).map((tick) => ({ ...tick, x: edge + way * scale * tick.place })),
  );
  const line = { color: "$line", width: 1 };
  layers.shapes.push(...spots.map(({ x }) => ({ type: "line", layer: "below", x0: x, x1: x, y0: head, y1: foot, line })));
  layers.bars("centre", [{ from: centre.left, to: centre.right, y: foot / 2, colour: "$soft", row: -1 }], foot);
  const edges = sides.map(({ edge: x }) => [head, foot].map((y) => ({ x, y })));
  layers.lines("edges", edges, { color: "$edge", width: 2 });
  const word = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ text) => ({
    x,
    y,
    text,
    colour: "$muted",
    row: -1,
  });
  const ticksY = foot + small * 0.8;
  const hasRoom = ticksY + small * (0.7 + axisBelow) <= height; // else bars alone
  const below = { size: small, anchor: /** @type {const} */ ("center") };
  const ticksInside = spots.map(({ x, words }) => word(inside(x, words.length * small * 0.62, width), ticksY, words));
  layers.words("ticks", hasRoom ? ticksInside : [], below);
  layers.words("axis", hasRoom ? [word(middle, ticksY + small * axisBelow, isNarrow ? bars.short_axis : bars.axis)] : [], below);
  const [first, second] = [letter * 0.75, letter * 1.35 + small * 0.75];
  const { centre: middleWords, target } = bars;
  const draft = decision.q ? bars.draft : NO_WORDS;
  const titles = /** @type {const} */ ([
    ["draft_title", centre.left - 5, draft.title, "right"],
    ["target_title", centre.right + 5, target.title, "left"],
    ["centre_title", middle, isNarrow ? middleWords.short_title : middleWords.title, "center"],
  ]);
  for (const [name, x, text, anchor] of titles)
    layers.words(name, [{ ...word(x, first, text), colour: "$ink" }], { size: letter, isBold: true, anchor });
  const notes = /** @type {const} */ ([
    ["draft_note", centre.left - 5, isNarrow ? draft.short_note : draft.note, "right"],
    ["target_note", centre.right + 5, isNarrow ? target.short_note : target.note, "left"],
    ["target_rest", centre.right + 5, (decision.left?.length && bars.remaining) || "", "left"],
    ["centre_note", centre.left + 7, hasCentreNote ? middleWords.left : "", "left"],
    ["clock_note", centre.right - 7, isNarrow ? middleWords.short_right : middleWords.right, "right"],
  ]);
  for (const [name, x, text, anchor] of notes) layers.words(name, [word(x, second, text)], { size: small, anchor });
  const zigzags = frame.rows.filter(({ isAfterGap }) => isAfterGap).map(({ y }) => zigzag(y - frame.row / 2 - BREAK / 2, width));
  layers.lines("breaks", zigzags, { color: "$drafted", width: 1.2 });
  layers.bars("centre_tint", tinted(centre.left, centre.right), frame.row - 1);
}

/**
 * The middle of a label, moved so far that its ends are in the picture.
 * @param {number} x
 * @param {number} wide
 * @param {number} width of the picture
 */
const inside = (x, wide, width) => Math.max(wide / 2 + 1, Math.min(width - wide / 2 - 1, x));

/** The colour of a number within a bar. @param {string} fill of the bar */
export function inkOn(fill) {
  if (fill === "$accepted-fill" || fill === "$target") return "$white";
  return fill === "$bar" ? "$ink" : "$bar-ink";
}

/** @param {number} y @param {number} width */
function zigzag(y, width) {
  return Array.from({ length: Math.floor((width - 2 * EDGE) / 5) + 1 }, (_, place) => ({
    x: EDGE + 5 * place,
    y: y + (place % 2 ? 2 : -2),
  }));
}

/**
 * @typedef {object} Shown
 * @property {number} row
 * @property {number | null} rank of a row that stands elsewhere than its rank says; else null
 * @property {boolean} isAfterGap rows before it are left out
 */

/**
 * The rows that have room: those that were drafted or chosen, then the first of the others.
 * @param {T.Decision} decision
 * @param {number} most
 * @param {Record<string, T.MarkStyle>} marks
 * @returns {Shown[]}
 */
export function rowsShown(decision, most, marks) {
  const rows = decision.p.map((_, row) => row);
  const isMarked = (/** @type {number} */ row) => marks[decision.marks[row]].sign !== "" || marks[decision.marks[row]].drafted;
  const first = rows.filter((row) => row === decision.chosen || row === 0);
  const order = [...new Set([...first, ...rows.filter(isMarked), ...rows])].slice(0, Math.max(most, first.length));
  order.sort((one, other) => one - other);
  return order.map((row, place) => {
    const rank = row === decision.chosen ? (decision.rank ?? null) : null;
    const isAbove = rank !== null && rank > place + 1;
    return { row, rank: isAbove ? rank : null, isAfterGap: isAbove || row > (order[place - 1] ?? -1) + 1 };
  });
}

/** How many rows must be shown. @param {T.Decision} decision @param {Record<string, T.MarkStyle>} marks */
const rowsNeeded = (decision, marks) =>
  decision.marks.filter((mark, row) => marks[mark].drafted || row === decision.chosen || row === 0).length;

/** All rows as they are given, of a decision that knows the ranks of its rows. @param {(number | null)[]} ranks @returns {Shown[]} */
const rowsAsGiven = (ranks) => ranks.map((rank, row) => ({ row, rank, isAfterGap: false }));
