// The page's address, which says what is chosen.

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
