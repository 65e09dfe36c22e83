// All that is mended in the browser of what Gradio's components do by themselves: what for, the version it was checked on, and what
// happens without it. The page loads it once; it touches nothing but what is named here.

/**
 * Keys that go somewhere or modify others and write nothing.
 *
 * A menu of Gradio that has the focus opens itself after every key but Escape: its handler of `keydown` first waits for the next frame and
 * then shows the options. By then Tab has taken the focus away and the menu has closed on `blur`, so it is opened again for good: nothing
 * closes it, it covers the fields below and swallows their clicks. So it is not told of these keys.
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
