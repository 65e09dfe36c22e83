// What a page without Gradio does itself, a saved run or a figure: its theme, and its height for the page that has it in a frame.

/** Light or dark, as the address (`theme=dark`) or the system asks. @param {URLSearchParams} asked */
export function showTheme(asked) {
  const prefersDark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.body.classList.toggle("dark", asked.has("theme") ? asked.get("theme") === "dark" : prefersDark);
}

/**
 * In a frame, sends the page around it `{"ersd": "height", "height": pixels}` whenever the height has changed.
 * @param {HTMLElement} of whose height: of the document, which is never lower than the frame, or of what is in it.
 */
export function reportHeight(of) {
  if (parent === window) return;
  const report = () => parent.postMessage({ ersd: "height", height: of.scrollHeight }, "*");
  new ResizeObserver(report).observe(document.body);
  report();
}
