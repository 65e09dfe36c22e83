// Texts are cut, wrapped and counted by the columns that they take.

import assert from "node:assert/strict";
import { test } from "node:test";
import { count, escape, fill, isolate, ordinal, ranges, shorten, shortenStart, width, wrapped } from "../../visual/web/base/format.js";

test("wide characters take two columns, accents none", () => {
  assert.equal(width("abc"), 3);
  assert.equal(width("日本"), 4);
  assert.equal(width("🙂"), 2);
  assert.equal(width("e\u0301"), 1);
});

test("a text that does not fit is cut, and says so", () => {
  assert.equal(shorten("token", 5), "token");
  assert.equal(shorten("tokens", 5), "toke…");
  assert.equal(shortenStart("tokens", 5), "…kens");
  assert.equal(shorten("日本語", 5), "日本…");
  assert.equal(shortenStart("日本語", 5), "…本語");
  for (let most = 1; most < 8; most += 1) assert.ok(width(shorten("日a本b語", most)) <= most);
});

test("what a reader sees as one character is never cut", () => {
  const family = "👨‍👩‍👧‍👦";
  for (const one of [family, "🇩🇪", "👍🏽", "e\u0301", "ก็"]) {
    const columns = width(one);
    assert.ok(columns <= 2, one);
    assert.equal(shorten(one.repeat(4), 2 * columns + 1), `${one}${one}…`);
    assert.equal(shortenStart(one.repeat(4), 2 * columns + 1), `…${one}${one}`);
    assert.equal(wrapped(`${one}${one}${one}`, 2), `${one}${one}<br>${one}`);
  }
});

test("text that runs to the left is set apart, other text stays as it is", () => {
  assert.equal(isolate("שלום"), "\u2068שלום\u2069");
  assert.equal(isolate("سلام 5"), "\u2068سلام 5\u2069");
  for (const text of ["token", "日本", "🙂", "e\u0301", "“.”", ""]) assert.equal(isolate(text), text);
  assert.equal(width(isolate("שלום")), 4);
  assert.equal(shorten(isolate("שלום"), 4), isolate("שלום"));
});

test("lines are wrapped at spaces, long words are cut, markup is escaped", () => {
  assert.equal(wrapped("one two three", 7), "one two<br>three");
  assert.equal(wrapped("abcdefgh", 3), "abc<br>def<br>gh");
  assert.equal(wrapped("a <b> & c", 20), "a &lt;b&gt; &amp; c");
  assert.equal(escape("<br>&"), "&lt;br&gt;&amp;");
});

test("ordinals, ranges and counts", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 112, 123].map(ordinal), [
    "1st",
    "2nd",
    "3rd",
    "4th",
    "11th",
    "12th",
    "13th",
    "21st",
    "112th",
    "123rd",
  ]);
  assert.equal(ranges([1, 3, 4, 5, 8, 9]), "1,3–5,8,9");
  assert.equal(ranges([]), "");
  assert.equal(count(1, "token"), "1 token");
  assert.equal(count(0, "token"), "0 tokens");
});

test("a name is put in as it is, whatever it holds", () => {
  assert.equal(fill("{name} was lost", { name: "$& $1" }), "$& $1 was lost");
});
