// What is above: the sky, sun, moon and stars, clouds, and what falls from them.
import { mix } from "../art/color.ts";
import { backdrop, fullBox, type Sprite, swing } from "../art/stage.ts";
import { gradient, tag } from "../art/svg.ts";
import type { Scenery } from "./light.ts";

export function drawSky(view: Scenery): Sprite[] {
  const { light, horizon, height, reading } = view;
  const { weathers } = reading;
  const overcast = weathers.some((weather) => /storm|rain|fog|snow|cloudy/.test(weather));
  const deep = view.place === "space" ? height : horizon;
  const sky = backdrop(view, "sky", light.sky, 0, deep);
  const below = tag("rect", { ...fullBox(view, deep - 1), fill: light.sky.at(-1) ?? "" });
  return [
    { ...sky, svg: sky.svg + below, box: fullBox(view) },
    ...(light.dark && !(overcast && light.hour !== "night") ? [stars(view, deep)] : []),
    ...(weathers.includes("aurora") ? [aurora(view)] : []),
    ...(view.place === "space" ? planets(view) : overcast && !light.dark ? [] : [disc(view)]),
    ...(view.place === "space" ? [] : clouds(view, overcast)),
    ...(weathers.includes("rainbow") ? [rainbow(view)] : []),
    ...(weathers.includes("storm") ? [bolt(view)] : []),
  ];
}

function stars(view: Scenery, deep: number): Sprite {
  const random = view.random.fork("stars");
  const dots = Array.from({ length: view.light.hour === "night" ? 260 : 60 }, () => {
    const cy = deep * random.next() ** 1.3;
    const bright = random.next() ** 5;
    const look = { cx: random.between(0, view.width), cy, fill: "#fff8e4" };
    const point = tag("circle", {
      ...look,
      r: view.unit * (0.7 + 1.7 * bright),
      "fill-opacity": (0.45 + 0.55 * bright) * (1 - 0.7 * (cy / deep)),
    });
    return bright > 0.6 ? tag("circle", { ...look, r: view.unit * 6, "fill-opacity": 0.1 }) + point : point;
  });
  const move = (turn: number) => ({ alpha: 0.8 + 0.2 * swing(turn, 0, 2) });
  return { svg: dots.join(""), box: fullBox(view, 0, deep), depth: 0.02, move };
}

/** Sun or moon, with its glow. */
function disc(view: Scenery): Sprite {
  const { light, unit, horizon, sunX: cx, reading } = view;
  const low = /dawn|sunset|dusk/.test(light.hour);
  const cy = horizon * (low ? 0.83 : view.random.fork("disc").between(0.22, 0.36));
  const r = unit * (light.hour === "night" ? 52 : low ? 84 : 58) * (reading.lights.length > 0 ? 1.3 : 1);
  const warm = light.dark ? light.sun : mix(light.sun, light.haze, low ? 0.35 : 0);
  const glow = ["b0", "5c", "30", "16", "08", "00"].map((opacity) => warm + opacity);
  const reach = r * (low ? 7 : 5.5);
  const svg =
    gradient("glow", glow, "radial") +
    tag("circle", { cx, cy, r: reach, fill: "url(#glow)" }) +
    tag("circle", { cx, cy, r, fill: light.sun }) +
    (light.hour === "night" ? craters(cx, cy, r) : "");
  return { svg, box: { x: cx - reach, y: cy - reach, width: reach * 2, height: reach * 2 }, depth: 0.03 };
}

function craters(x: number, y: number, r: number): string {
  const seas = [
    [-0.35, -0.25, 0.3],
    [0.2, -0.4, 0.18],
    [0.05, 0.15, 0.36],
    [-0.4, 0.4, 0.16],
    [0.5, 0.3, 0.14],
  ];
  return seas
    .map(([dx = 0, dy = 0, size = 0]) =>
      tag("circle", { cx: x + dx * r, cy: y + dy * r, r: size * r, fill: "#8f93a8", opacity: 0.22 }),
    )
    .join("");
}

function planets(view: Scenery): Sprite[] {
  const { width, height, unit, random } = view;
  return [0, 1].map((i) => {
    const own = random.fork(`planet${i}`);
    const r = unit * (i === 0 ? own.between(150, 210) : own.between(40, 70));
    const [x, y] = [
      width * (i === 0 ? own.between(0.58, 0.75) : own.between(0.15, 0.35)),
      height * (i === 0 ? 0.34 : own.between(0.15, 0.45)),
    ];
    const [lit, dark] = own.pick([
      ["#ffb98a", "#6b2d5c"],
      ["#9ad7e8", "#1c3d7a"],
      ["#f0d9a8", "#7a4a5c"],
    ] as const);
    const id = `planet${i}`;
    const shine = tag(
      "radialGradient",
      { id, cx: 0.3, cy: 0.3, r: 0.85 },
      tag("stop", { offset: 0, "stop-color": lit }) + tag("stop", { offset: 1, "stop-color": dark }),
    );
    const ring = tag("ellipse", {
      cx: x,
      cy: y,
      rx: r * 1.8,
      ry: r * 0.42,
      fill: "none",
      stroke: lit,
      "stroke-width": r * 0.13,
      "stroke-opacity": 0.55,
      transform: `rotate(-16 ${x} ${y})`,
    });
    const half = `planet-half${i}`;
    // The ring passes behind the upper half.
    const cover = tag(
      "clipPath",
      { id: half },
      tag("rect", {
        x: x - r * 2,
        y: y - r * 2,
        width: r * 4,
        height: r * 2,
        transform: `rotate(-16 ${x} ${y})`,
      }),
    );
    const ball = (extra: object = {}) => tag("circle", { cx: x, cy: y, r, fill: `url(#${id})`, ...extra });
    const svg = shine + cover + ball() + (i === 0 ? ring + ball({ "clip-path": `url(#${half})` }) : "");
    return {
      svg,
      box: { x: x - r * 2, y: y - r * 2, width: r * 4, height: r * 4 },
      depth: 0.05 + i * 0.04,
      move: (turn: number) => ({ dy: unit * 8 * swing(turn, i / 3) }),
    };
  });
}

/** Oxygen green, nitrogen violet, and where they meet: curtains of rays that hang from a swinging edge. */
function aurora(view: Scenery): Sprite {
  const { width, horizon, unit } = view;
  const random = view.random.fork("aurora");
  const curtains = ["#37f0a0", "#7b5cf5", "#2fd6c3"].map((color, i) => {
    const [y, bend, phase] = [
      horizon * (0.5 + 0.14 * i),
      horizon * random.between(0.07, 0.14),
      random.next(),
    ];
    const rays = Array.from({ length: 110 }, (_, ray) => {
      const x = (ray / 109) * width * 1.1 - width * 0.05;
      const foot =
        y +
        bend * Math.sin(2 * Math.PI * (x / width) * 1.3 + phase * 7) +
        bend * 0.4 * Math.sin((x / width) * 17 + phase);
      const tall = horizon * (0.3 + 0.3 * random.next());
      return tag("rect", {
        x,
        y: foot - tall,
        width: width / 60,
        height: tall,
        fill: `url(#aurora${i})`,
        opacity: 0.25 + 0.6 * random.next(),
      });
    });
    return gradient(`aurora${i}`, [`${color}00`, `${color}26`, `${color}7a`, `${color}00`]) + rays.join("");
  });
  const soft = tag(
    "filter",
    { id: "aurora-soft", x: "-5%", width: "110%" },
    tag("feGaussianBlur", { stdDeviation: `${unit * 10} ${unit * 4}` }),
  );
  const svg = soft + tag("g", { filter: "url(#aurora-soft)" }, curtains.join(""));
  return {
    svg,
    box: fullBox(view, 0, horizon),
    depth: 0.02,
    move: (turn) => ({ alpha: 0.8 + 0.2 * swing(turn, 0), dx: width * 0.012 * swing(turn, 0.2) }),
  };
}

/** Noise, stretched and cut off below a level, lit from the sun's side. */
function clouds(view: Scenery, overcast: boolean): Sprite[] {
  const { width, horizon, unit, light, random } = view;
  const heavy = view.reading.weathers.includes("storm");
  const seed = Math.floor(random.fork("clouds").between(1, 9_000));
  return [0, 1].map((i) => {
    // Alpha is a line through the noise: how steep, and from where on.
    const [steep, from] = overcast ? [4.2, heavy ? 1.35 : 1.6] : [5.5, light.dark ? 3.1 : 2.72];
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
      (at) =>
        Number.parseInt(
          (i === 0 ? mix(light.cloud, light.sky[1] ?? "", 0.4) : light.cloud).slice(at, at + 2),
          16,
        ) / 255,
    );
    const noise = tag("feTurbulence", {
      type: "fractalNoise",
      baseFrequency: `${0.0016 / unit} ${(i === 0 ? 0.0075 : 0.005) / unit}`,
      numOctaves: 5,
      seed: seed + i * 7,
    });
    const matrix = tag("feColorMatrix", {
      values: `0 0 0 0 ${red} 0 0 0 0 ${green} 0 0 0 0 ${blue} 0 0 0 ${steep} ${-from - i * 0.1}`,
    });
    const id = `clouds${i}`;
    const filter = tag(
      "filter",
      { id, x: 0, y: 0, width: 1, height: 1, "color-interpolation-filters": "sRGB" },
      noise + matrix,
    );
    const fade = gradient(
      `${id}-fade`,
      ["#fff", "#fff", "#bbb", "#000"].map((grey) => grey),
    );
    const mask = tag(
      "mask",
      { id: `${id}-mask` },
      tag("rect", {
        x: -width * 0.1,
        y: 0,
        width: width * 1.2,
        height: horizon * 0.96,
        fill: `url(#${id}-fade)`,
      }),
    );
    const svg =
      filter +
      fade +
      mask +
      tag(
        "g",
        { mask: `url(#${id}-mask)` },
        tag("rect", { x: -width * 0.1, y: 0, width: width * 1.2, height: horizon, filter: `url(#${id})` }),
      );
    const box = { x: -width * 0.1, y: 0, width: width * 1.2, height: horizon };
    return {
      svg,
      box,
      depth: 0.06 + 0.05 * i,
      move: (turn: number) => ({ dx: width * (0.025 + 0.02 * i) * swing(turn, 0) }),
    };
  });
}

function rainbow(view: Scenery): Sprite {
  const { width, horizon, unit } = view;
  const r = Math.min(width * 0.46, horizon * 0.9);
  const bows = ["#e5484d", "#f5893d", "#f7d154", "#5cb85c", "#4a90d9", "#7d5bd0"].map((stroke, i) =>
    tag("circle", {
      cx: width / 2,
      cy: horizon,
      r: r - i * unit * 12,
      fill: "none",
      stroke,
      "stroke-width": unit * 13,
      opacity: 0.42,
    }),
  );
  const soft = tag("filter", { id: "bow-soft" }, tag("feGaussianBlur", { stdDeviation: unit * 4 }));
  return {
    svg: soft + tag("g", { filter: "url(#bow-soft)" }, bows.join("")),
    box: fullBox(view, 0, horizon),
    depth: 0.05,
  };
}

function bolt(view: Scenery): Sprite {
  const { width, horizon, unit } = view;
  const random = view.random.fork("bolt");
  let [x, y] = [width * random.between(0.2, 0.8), horizon * 0.12];
  let d = `M${x} ${y}`;
  while (y < horizon) {
    [x, y] = [x + unit * random.between(-46, 46), y + unit * random.between(22, 60)];
    d += `L${x} ${Math.min(y, horizon)}`;
  }
  const look = { d, fill: "none", "stroke-linejoin": "round" };
  const svg =
    tag("path", { ...look, stroke: "#cfe0ff", "stroke-width": unit * 16, "stroke-opacity": 0.16 }) +
    tag("path", { ...look, stroke: "#fbfcff", "stroke-width": unit * 4 });
  return {
    svg,
    box: fullBox(view, 0, horizon),
    depth: 0.08,
    move: (turn) => ({ alpha: swing(turn, 0.25, 3) > 0.2 ? 1 : 0.15 }),
  };
}

/** What falls or lies between us and everything else. */
export function drawAir(view: Scenery): Sprite[] {
  const { height, horizon, light, unit, reading } = view;
  const weathers = new Set<string>(reading.weathers);
  const air: Sprite[] = [];
  if (weathers.has("fog")) {
    const haze = mix(light.haze, "#eef1f3", light.dark ? 0.1 : 0.45);
    const box = fullBox(view, horizon * 0.6, height);
    const svg =
      gradient("fog", [`${haze}00`, `${haze}c8`, `${haze}50`, `${haze}00`]) +
      tag("rect", { ...box, fill: "url(#fog)" });
    air.push({ svg, box, depth: 0.5, move: (turn) => ({ alpha: 0.85 + 0.15 * swing(turn, 0) }) });
  }
  if (weathers.has("rain") || weathers.has("storm"))
    air.push(
      falling(view, 2, (x, y, s) =>
        tag("path", {
          d: `M${x} ${y}l${-9 * s} ${46 * s}`,
          stroke: "#e4eef6",
          "stroke-width": 1.7 * unit,
          "stroke-opacity": 0.3,
        }),
      ),
    );
  if (weathers.has("snow"))
    air.push(
      falling(view, 1, (x, y, s) => tag("circle", { cx: x, cy: y, r: 4 * s, fill: "#fff", opacity: 0.85 })),
    );
  return air;
}

/** Twice as tall as the stage and the same in both halves, so that it falls for ever. */
function falling(
  view: Scenery,
  cycles: number,
  draw: (x: number, y: number, scale: number) => string,
): Sprite {
  const { width, height, unit } = view;
  const random = view.random.fork("falling");
  const drops = Array.from({ length: Math.round(190 * Math.max(1, width / height)) }, () => {
    const [x, y, scale] = [random.between(0, width), random.between(0, height), random.between(0.5, 1.5)];
    return draw(x, y, scale * unit) + draw(x, y - height, scale * unit);
  });
  const move = (turn: number) => ({ dy: ((turn * cycles) % 1) * height });
  return { svg: drops.join(""), box: fullBox(view, -height), depth: 0.6, move };
}
