// Names at the ends of lines.

/**
 * Moves names apart where they would overlap.
 * @template {{ y: number }} Name
 * @param {Name[]} names with the pixel at which their line ends.
 * @param {number} least distance.
 * @param {number} height of the picture.
 */
export function spread(names, least, height) {
  const sorted = [...names].sort((one, other) => one.y - other.y).map((name) => ({ ...name }));
  sorted.forEach((name, place) => {
    if (place) name.y = Math.max(name.y, sorted[place - 1].y + least);
  });
  const over = Math.max(0, (sorted.at(-1)?.y ?? 0) - height);
  sorted.forEach((name, place) => (name.y = Math.max(name.y - over, least * (place + 0.3))));
  return sorted;
}
