// Files that the tab saves.

/** @param {string} text @param {string} name of the file. */
export function saveText(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  download(address, name);
  URL.revokeObjectURL(address);
}

/** @param {string} address @param {string} name */
export function download(address, name) {
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
}
