// Where no landscape is: a table before a wall, or nothing but colour.
import { mix } from "../art/color.ts";
import { fullBox } from "../art/stage.ts";
import { circle, ellipse, gradient, rect } from "../art/svg.ts";
import type { Land } from "../landscape/land.ts";
import type { ScenePlace, Scenery } from "../landscape/light.ts";
import tables from "./tables.json" with { type: "json" };

/** A table before a wall, with light from a window next to the picture. */
function room(view: Scenery): Land {
  const { width, height } = view;
  const box = fullBox(view);
  const wood = "#b98556";
  const svg =
    rect(box, view.random.fork("wall").pick(tables.walls)) +
    gradient("shine", ["#ffffff8c", "#ffffff00"], "radial") +
    ellipse([width * 0.28, height * 0.24], width * 0.6, height * 0.55, "url(#shine)") +
    rect(fullBox(view, height * 0.68), mix(wood, "#ffffff", 0.35)) +
    rect(fullBox(view, height * 0.692), wood);
  return { sprites: [{ svg, box, depth: 0.3 }], far: height * 0.75, near: height * 0.94 };
}

function studio(view: Scenery): Land {
  const { width, height } = view;
  const random = view.random.fork("studio");
  const [tone, second] = [random.pick(tables.studios), random.pick(tables.studios)];
  const colors = [mix(tone, "#ffffff", 0.72), tone, mix(second, "#2b2350", 0.3)];
  const disc = circle(width / 2, height / 2, Math.hypot(width, height) / 2, "url(#studio)");
  const svg = gradient("studio", colors, "radial") + disc;
  return { sprites: [{ svg, box: fullBox(view), depth: 0 }], far: height * 0.78, near: height * 0.9 };
}

export const INDOORS: Partial<Record<ScenePlace, (view: Scenery) => Land>> = { room, studio };
