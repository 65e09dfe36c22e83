// What this browser keeps from one visit to the next. A frame of another site may have no storage: then it holds for this visit.

/** @param {string} name @returns {string | null} null: there is nothing */
export function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string | null} value null: it is forgotten */
export function store(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // nothing is kept
  }
}
