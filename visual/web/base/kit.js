// What never changes and is the same for all players of a page: it is sent once, in the page's head.

/** @import { Kit } from "./kit_types.js" */
import { find } from "./dom.js";

/** @type {Kit | undefined} */
let kit;

/** @returns {Kit} */
export const kitOfPage = () => (kit ??= JSON.parse(find(document.head, "#ersd-kit").textContent ?? ""));
