// Pictures of the steps around the one in view, drawn while the browser has nothing else to do: whoever holds a key down walks through
// pictures that are there.

/** @import { Pictures } from "./pictures.js" */
/** @import { StepMessage } from "../base/types.js" */

/** Draws ahead, the nearest steps first. */
export class DrawAhead {
  /**
   * @param {Pictures} pictures
   * @param {() => boolean} isBusy does anything else need the processor, or move on the screen?
   */
  constructor(pictures, isBusy) {
    this.pictures = pictures;
    this.isBusy = isBusy;
    /** @type {StepMessage[]} */
    this.around = [];
    this.isWaiting = false;
  }

  /**
   * The reader is at a step.
   *
   * @param {StepMessage[]} steps
   * @param {number} index
   */
  from(steps, index) {
    this.around = nearest(steps, index, this.pictures.kept);
    this.wait();
  }

  wait() {
    if (this.isWaiting || !("requestIdleCallback" in window)) return;
    this.isWaiting = true;
    requestIdleCallback(() => this.draw());
  }

  // One picture, then the browser has its turn: whoever presses a key waits for no more than that.
  async draw() {
    this.isWaiting = false;
    if (this.isBusy()) return; // the drawing at its end asks again
    const picture = this.next();
    if (!picture) return;
    await picture.book.keep(picture.state, picture.make);
    this.wait();
  }

  next() {
    while (this.around.length) {
      const [picture] = this.pictures.missing(this.around[0]);
      if (picture) return picture;
      this.around.shift();
    }
    return null;
  }
}

/**
 * So many steps around one, itself among them: the nearest first, those before it as if they were twice as far away.
 *
 * @param {StepMessage[]} steps
 * @param {number} index
 * @param {number} most
 */
function nearest(steps, index, most) {
  const far = (/** @type {number} */ place) => (place < index ? 2 * (index - place) : place - index);
  const first = Math.max(0, index - most);
  const places = steps.slice(first, index + most).map((_, place) => first + place);
  const ordered = places.sort((one, other) => far(one) - far(other));
  return ordered.slice(0, most).map((place) => steps[place]);
}
