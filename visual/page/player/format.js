// How names and numbers are written in pictures: the counterpart of visual/words.py for what is put together in the browser.

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NONE = /\p{M}/u;

const columns = (character) => (NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

// Columns that a text takes in a monospace face.
export const width = (text) => [...text].reduce((sum, character) => sum + columns(character), 0);

// A text cut with … at the end, or at the start, if it is wider than `most` columns.
export function shorten(text, most, atStart = false) {
  if (width(text) <= most) return text;
  const characters = atStart ? [...text].reverse() : [...text];
  const kept = [];
  let room = most - 1;
  for (const character of characters) {
    room -= columns(character);
    if (room < 0) break;
    kept.push(character);
  }
  return atStart ? "…" + kept.reverse().join("") : kept.join("") + "…";
}

// Safe inside Plotly's pseudo-HTML, whatever a model or a user wrote.
export const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

// Plain text as escaped lines.
export function wrapped(text, most) {
  const lines = [""];
  for (const word of text.split(" ").flatMap((one) => one.match(new RegExp(`.{1,${most}}`, "gsu")) || [])) {
    const line = lines.at(-1);
    if (line && line.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.map(escape).join("<br>");
}

// About `digits` significant digits, never an exponent: 0.12, 8.9, 26, 1,200. Nothing or infinite: ∞.
export function number(value, digits = 2) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "∞";
  const size = Math.abs(value);
  if (size >= 99.5) return size < 1e6 ? Math.round(value).toLocaleString("en-US") : "> 1,000,000";
  if (size >= 9.95) return value.toFixed(Math.max(0, digits - 2));
  if (size >= 0.995) return value.toFixed(digits - 1);
  if (size >= 0.0095 || size === 0) return value.toFixed(digits);
  return size >= 0.00005 ? value.toFixed(digits + 2) : "< 0.0001";
}

// 1st, 2nd, 3rd, 4th …
export function ordinal(place) {
  const teen = place % 100 > 10 && place % 100 < 14;
  return place + ((!teen && { 1: "st", 2: "nd", 3: "rd" }[place % 10]) || "th");
}

// Numbers of tries, runs drawn together: 1,3–5.
export function ranges(numbers) {
  const parts = [];
  for (const one of numbers) {
    const last = parts.at(-1);
    if (last && last[1] === one - 1) last[1] = one;
    else parts.push([one, one]);
  }
  return parts.map(([first, last]) => (first === last ? `${first}` : `${first}${last === first + 1 ? "," : "–"}${last}`)).join(",");
}

// A sentence of the kit with a name put in.
export const about = (sentence, name) => sentence.replace("{name}", () => name);
