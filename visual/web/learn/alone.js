// A figure by itself, `?figure=share-clocks` (visual/ui/figure_page.py), also in a frame of other pages and slides.

/** @import * as T from "../types" */
import { reportHeight, showTheme } from "../files/document.js";
import { find } from "../base/dom.js";
import { kitOfPage } from "../base/kit.js";
import { render } from "../core/player.js";
import { Lab } from "../lab/lab.js";
import { Figure } from "./figure.js";

/**
 * @param {{ labels: Record<string, string>, lesson: T.Learn.Lesson, figures: T.Learn.Figures }} data of this figure
 * @param {T.Lab.LabKit} labKit
 */
export function mount(data, labKit) {
  showTheme(new URLSearchParams(location.search));
  const root = find(document.body, ".ersd-learn");
  const stage = find(root, ".learn-lab");
  const player = document.getElementById("learn-player");
  if (player) render({ element: player });
  new Figure(root, data, stage.childElementCount ? new Lab(stage, labKit, kitOfPage(), stage) : null).begin(data.lesson);
  if (parent !== window) find(document.body, "figcaption a").setAttribute("target", "_blank"); // the frame stays a figure
  reportHeight(document.body);
}
