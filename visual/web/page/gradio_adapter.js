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
    // a list that scrolls would get the focus next, and then close (Chromium 130)
    if (isMenu && event.key === "Tab")
      for (const list of document.querySelectorAll("[role=listbox], .options")) list.setAttribute("tabindex", "-1");
  },
  true, // before Gradio, which listens further in; the browser moves the focus all the same
);

// --- the connection that brings the answers -----------------------------------------------------------------------------------------------
//
// One stream brings the answers of all runs. Where it breaks, or a request does not get through, Gradio shows that the connection is lost,
// ignores every event from then on, and reloads the page as soon as the server answers: the steps on the screen are gone. Where it ends
// without an error, Gradio goes on waiting for it, also in later runs. So it gets neither: a stream always ends as the server would end it,
// with a failure of what was still running, and a request that does not get through is one that was refused. Runs then end by the page's own
// sentence (run_buttons.js) and the next one opens the stream again.
// Checked with Gradio 6.31.0 (`open_stream` and `post_data` of its client, `on_connection_lost` of `Blocks.svelte`).

const STREAM = "gradio_api/queue/data";
const CLOSES = '"msg":"close_stream"';
const FAILURE = { msg: "process_completed", success: false, output: { error: "", visible: false } }; // no event: of all that are open
const EVENT_END = "\n\n";
const END = [FAILURE, { msg: "close_stream" }].map((message) => `data: ${JSON.stringify(message)}${EVENT_END}`).join("");
const UNREACHED = { error: "The server cannot be reached." };
const TICK_MS = 5000; // counted, not measured: a computer that sleeps does not count
const SILENT_TICKS = 9; // without a byte until the stream is given up; the server sends something every 15 s

const request = window.fetch;

/** @param {Parameters<typeof fetch>} what */
window.fetch = async (...what) => {
  const [input, options] = what;
  const { pathname } = new URL(input instanceof Request ? input.url : input, document.baseURI);
  if (pathname.endsWith(STREAM)) return streamed(request(...what));
  const isPost = pathname.includes("gradio_api/") && (input instanceof Request ? input : options)?.method === "POST";
  return isPost ? request(...what).catch(() => Response.json(UNREACHED, { status: 503 })) : request(...what);
};

/** A stream of whole events that ends as the server would end it, whatever happens to the connection. @param {Promise<Response>} answer */
function streamed(answer) {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  /** @type {ReadableStreamDefaultReader<Uint8Array> | undefined} */
  let reader;
  let text = ""; // of an event that has not come to its end
  let isClosed = false;
  const body = new ReadableStream({
    async pull(out) {
      try {
        reader ??= (await patiently(answer)).body?.getReader();
        for (;;) {
          const { value } = /** @type {{ value?: Uint8Array }} */ (await patiently(reader?.read() ?? Promise.reject()));
          if (!value) break;
          text += decoder.decode(value, { stream: true });
          const end = text.lastIndexOf(EVENT_END) + EVENT_END.length;
          if (end < EVENT_END.length) continue;
          isClosed ||= text.slice(0, end).includes(CLOSES);
          out.enqueue(encoder.encode(text.slice(0, end)));
          text = text.slice(end);
          return;
        }
      } catch {
        void reader?.cancel().catch(() => {}); // cut off, refused or silent
      }
      if (!isClosed) out.enqueue(encoder.encode(END));
      out.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** Waits for a part of the stream, but not for ever. @template T @param {Promise<T>} part @returns {Promise<T>} */
function patiently(part) {
  return new Promise((resolve, reject) => {
    let ticks = 0;
    const clock = setInterval(() => ++ticks === SILENT_TICKS && reject(new Error("silent")), TICK_MS);
    part.then(resolve, reject).finally(() => clearInterval(clock));
  });
}

/**
 * Gradio closes the stream when a run is over. If the browser learns of that only after the next run was accepted, its answers do not arrive
 * (seen with Gradio 6.31.0). Any request opens the stream again, and brings them all.
 */
let silent = 0;
setInterval(() => {
  silent = document.querySelector("[data-awaited]") ? silent + 1 : 0;
  if (silent === 2) document.getElementById("listen")?.click();
}, 3000);
