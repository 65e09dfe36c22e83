// What the server is asked for by name.

/**
 * The answer at an address relative to the page, which may be served below a path. An Error where there is none.
 * @param {string} address
 */
export async function fetched(address) {
  const answer = await fetch(new URL(address, document.baseURI));
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}
