// The lessons that are done, kept in this browser: those whose question was answered.

const DONE = "ersd-lessons-done";

/** @returns {number[]} */
export function remembered() {
  try {
    const found = JSON.parse(localStorage.getItem(DONE) ?? "[]");
    return Array.isArray(found) ? found.filter(Number.isInteger) : [];
  } catch {
    return []; // a browser that keeps nothing
  }
}

/** @param {number[]} done */
export function remember(done) {
  try {
    localStorage.setItem(DONE, JSON.stringify(done));
  } catch {
    // a browser that keeps nothing
  }
}
