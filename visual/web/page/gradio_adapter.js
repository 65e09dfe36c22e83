// Fixes for Gradio's components in the browser, each with its reason, the version it was checked with, and what happens without it. The
// page loads this once.

/**
 * Keys that move the focus or modify other keys, and write nothing.
 *
 * A menu of Gradio that has the focus opens itself after every key but Escape: its handler of `keydown` first waits for the next frame and
 * then shows the options. By then Tab has taken the focus away and the menu has closed on `blur`, so it is opened again for good: nothing
 * closes it, it covers the fields below and swallows their clicks. So these keys do not reach it.
 * Checked with Gradio 6.31.0 (`Dropdown.svelte`, `handle_key_down`). Where a Gradio does without, this changes nothing.
 */
const SILENT = new Set(["Tab", "Shift", "Control", "Alt", "Meta"]);

document.addEventListener(
  "keydown",
  (event) => {
    const isMenu = event.target instanceof Element && event.target.matches("input[role=combobox]");
    if (isMenu && SILENT.has(event.key)) event.stopPropagation();
  },
  true, // before Gradio, which listens further in; the browser moves the focus all the same
);
