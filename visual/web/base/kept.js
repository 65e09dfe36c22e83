// What is kept: in the page's address, and in this browser from one visit to the next.

/** Sets parameters of the address; those that are empty are left out. @param {Record<string, string | null | undefined>} values */
export function setInAddress(values) {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
  }
  if (address.href !== location.href) history.replaceState(history.state, "", address);
}

/** The parameters that the page was opened with; a tab that was opened since then may have left its own in the address. */
export function openedWith() {
  const [opened] = performance.getEntriesByType("navigation");
  return new URL(opened.name).searchParams;
}

/** What this browser keeps under a name. A frame of another site may have no storage. @param {string} name @returns {string | null} null: nothing */
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
