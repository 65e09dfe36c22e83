// Which keys a part of the page may take: never those of a dialog, a menu or a field, nor what the browser does with a modifier.

import { around } from "./dom.js";

const DIALOGS = "dialog[open], [aria-modal=true], .api-docs"; // the last is Gradio's (6.31.0), without a role
const WIDGETS =
  "input:not([type=checkbox]), textarea, select, [contenteditable], [role=tab], [role=listbox], [role=combobox], [role=slider], [role=menu]";

/** Is a key pressed without a modifier? Shift counts as part of the key. @param {KeyboardEvent} event */
export const isPlain = ({ ctrlKey, metaKey, altKey }) => !ctrlKey && !metaKey && !altKey;

/** Is a key meant for the page, wherever its focus is? @param {KeyboardEvent} event */
export function isForPage(event) {
  return isPlain(event) && !event.defaultPrevented && !around(event, WIDGETS) && !document.querySelector(DIALOGS);
}
