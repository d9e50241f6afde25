// Where no landscape is: a table before a wall, or nothing but colour.
import { mix } from "../art/color.ts";
import { fullBox } from "../art/stage.ts";
import { gradient, tag } from "../art/svg.ts";
import type { Land } from "../landscape/land.ts";
import type { Scenery } from "../landscape/light.ts";
import tables from "./tables.json" with { type: "json" };

/** A table before a wall, with light from a window next to the picture. */
export function room(view: Scenery): Land {
  const { width, height } = view;
  const wall = view.random.fork("wall").pick(tables.walls);
  const wood = "#b98556";
  const [cx, cy, rx, ry] = [width * 0.28, height * 0.24, width * 0.6, height * 0.55];
  const svg =
    tag("rect", { ...fullBox(view), fill: wall }) +
    gradient("shine", ["#ffffff8c", "#ffffff00"], "radial") +
    tag("ellipse", { cx, cy, rx, ry, fill: "url(#shine)" }) +
    tag("rect", { ...fullBox(view, height * 0.68), fill: mix(wood, "#ffffff", 0.35) }) +
    tag("rect", { ...fullBox(view, height * 0.692), fill: wood });
  return { sprites: [{ svg, box: fullBox(view), depth: 0.3 }], far: height * 0.75, near: height * 0.94 };
}

export function studio(view: Scenery): Land {
  const { width, height } = view;
  const random = view.random.fork("studio");
  const [tone, second] = [random.pick(tables.studios), random.pick(tables.studios)];
  const reach = Math.hypot(width, height) / 2;
  const colors = [mix(tone, "#ffffff", 0.72), tone, mix(second, "#2b2350", 0.3)];
  const disc = { cx: width / 2, cy: height / 2, r: reach, fill: "url(#studio)" };
  const svg = gradient("studio", colors, "radial") + tag("circle", disc);
  return { sprites: [{ svg, box: fullBox(view), depth: 0 }], far: height * 0.78, near: height * 0.9 };
}
