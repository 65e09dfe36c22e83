// The stream of answers: however the connection ends, Gradio sees an end that it knows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { install, pass } from "./fake_clock.mjs";

const PAGE = "http://here/demo/";
const STREAM = `${PAGE}gradio_api/queue/data?session_hash=a`;
const [STEP, CLOSE] = ['data: {"msg":"process_generating"}\n\n', 'data: {"msg":"close_stream"}\n\n'];

install();
let answer = async () => new Response();
globalThis.document = { baseURI: PAGE, addEventListener() {}, querySelector: () => null };
globalThis.window = { fetch: (...what) => answer(...what) };
await import("../../visual/web/page/gradio_adapter.js");

/** A stream of these parts that then ends, breaks or says no more. */
function stream(parts, end) {
  const encoder = new TextEncoder();
  return new Response(
    new ReadableStream({
      pull(out) {
        const part = parts.shift();
        if (part !== undefined) out.enqueue(encoder.encode(part));
        else if (end === "ends") out.close();
        else if (end === "breaks") out.error(new TypeError("network error"));
        else return new Promise(() => {});
      },
    }),
  );
}

const messages = (text) => text.split("\n\n").flatMap((event) => (event ? [JSON.parse(event.replace("data: ", ""))] : []));

for (const end of ["ends", "breaks", "is silent", "is never there", "is refused"]) {
  test(`a stream that ${end} ends as one that the server closes, with a failure of what still ran`, async () => {
    answer = async () => {
      if (end === "is never there") throw new TypeError("offline");
      if (end === "is refused") return new Response("{}\n\n", { status: 503 });
      return stream([STEP.slice(0, 9), STEP.slice(9) + STEP, STEP.slice(0, 20)], end);
    };
    const text = (await window.fetch(new Request(STREAM))).text();
    for (let turn = 0; turn < 50; turn += 1) {
      await new Promise(setImmediate);
      if (end === "is silent") pass(5);
    }
    const [failure, close, ...rest] = messages((await text).replaceAll(STEP, "").replace("{}\n\n", ""));
    assert.deepEqual([failure.msg, failure.success, failure.output.visible], ["process_completed", false, false]);
    assert.equal(close.msg, "close_stream");
    assert.deepEqual(rest, [], "nothing of an event that came in half");
    if (end !== "is never there" && end !== "is refused") assert.ok((await text).startsWith(STEP + STEP));
  });
}

test("a stream that the server closes, and other requests, are as they were", async () => {
  answer = async () => stream([STEP, CLOSE], "ends");
  assert.equal(await (await window.fetch(STREAM)).text(), STEP + CLOSE);
  answer = async () => Promise.reject(new TypeError("offline"));
  await assert.rejects(window.fetch(`${PAGE}gallery/ersd`));
  await assert.rejects(window.fetch(new URL(`${PAGE}gradio_api/app_id`)));
});

test("a request that does not get through is one that was refused", async () => {
  answer = async () => Promise.reject(new TypeError("offline"));
  const refused = await window.fetch(`${PAGE}gradio_api/queue/join`, { method: "POST", body: "{}" });
  assert.deepEqual([refused.status, await refused.json()], [503, { error: "The server cannot be reached." }]);
});
