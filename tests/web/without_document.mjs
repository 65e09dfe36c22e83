// Lets Node import modules that draw with lit-html: it needs a document as soon as it is imported, and here nothing is drawn.

import { register } from "node:module";

const script = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const LIT = script(`
  export const html = (strings, ...values) => ({ strings, values });
  export const svg = html;
  export const nothing = Symbol("nothing");
  export function render() { throw new Error("there is no document"); }
`);
register(
  script(`
  export const resolve = (name, context, next) =>
    name.endsWith("/lit-html.js") ? { url: ${JSON.stringify(LIT)}, shortCircuit: true } : next(name, context);
`),
);
