// The kit: constants that all players of a page share. The page's head holds them as JSON.

/** @import { Kit } from "./kit_types.js" */
import { find } from "./dom.js";

/** @type {Kit | undefined} */
let kit;

/** @returns {Kit} */
export const kitOfPage = () => (kit ??= JSON.parse(find(document.head, "#ersd-kit").textContent ?? ""));
