// How deep a vertex of a draft tree lies.

/**
 * Levels below the root, which is -1.
 *
 * @param {number[]} parents by vertex.
 * @param {number} vertex
 */
export function depthOf(parents, vertex) {
  let depth = 0;
  for (let at = vertex; at >= 0; at = parents[at]) depth += 1;
  return depth;
}
