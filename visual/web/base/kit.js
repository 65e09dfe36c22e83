// The kit: constants that all players of a page share. The page's head holds them as JSON.

/** @import * as T from "../types" */
import { find } from "./dom.js";

/** @type {T.Kit | undefined} */
let kit;

/** @returns {T.Kit} */
export const kitOfPage = () => (kit ??= JSON.parse(find(document.head, "#ersd-kit").textContent ?? ""));
