// Redraws the steps of recorded runs, for test_redraw.py: reads a case from the standard input, writes what the module says of every choice.

import { readFileSync } from "node:fs";

const { redraw } = await import(`${process.argv[2]}/redraw/redraw.js`);
const { recordedShape, shapesOf } = await import(`${process.argv[2]}/redraw/shape.js`);
const { kit, runs } = JSON.parse(readFileSync(0, "utf8"));

const found = runs.map(({ settings, steps, ranks, choices }) =>
  choices.map(({ index, temperature, k }) => {
    const shapeWith = shapesOf(steps, index, settings, ranks);
    const shape = k === settings.draft_tokens ? recordedShape(steps[index].tree) : shapeWith?.(k);
    if (!shape) return null; // it does not follow
    const { step, why, isSameText } = redraw(steps[index], shape, settings.temperature, { temperature, k }, kit);
    const { tree, decisions, bar } = step;
    const way = Object.keys(decisions).map(Number);
    way.sort((one, other) => one - other);
    const visits = way.map((vertex) => {
      const decision = decisions[vertex];
      const below = tree.q.flatMap((_, child) => (tree.parents[child] === vertex ? [child] : []));
      return {
        guesses: below.filter((child) => !tree.why[child]).map((child) => tree.names[child]),
        hasUnknown: below.some((child) => tree.why[child]),
        names: decision.names,
        p: decision.p,
        q: decision.q,
      };
    });
    const path = tree.names.filter((_, vertex) => tree.states[vertex] === "accepted");
    return { path, own: bar.own ? tree.names.at(-1) : null, why, isSameText, changes: step.changes.length, visits };
  }),
);
process.stdout.write(JSON.stringify(found));
