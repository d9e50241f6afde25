// What is above and in the air: the sky, sun, moon and stars, clouds, and every weather.
import { mix } from "./color.ts";
import { placeIcon } from "./icons.ts";
import { hourOf } from "./palette.ts";
import { backdrop, fullBox, row, type Sprite, type Stage, swing } from "./stage.ts";
import { gradient, tag } from "./svg.ts";

export function drawSky(stage: Stage): Sprite[] {
  const { width, palette, horizon, unit, reading, random } = stage;
  const weathers = new Set<string>(reading.weathers);
  const stormy = weathers.has("storm");
  const overcast = ["storm", "rain", "fog", "snow", "cloudy"].some((weather) => weathers.has(weather));
  const below = tag("rect", { ...fullBox(stage, horizon - 1), fill: palette.sky[2] });
  const sky = backdrop(stage, "sky", palette.sky, 0, horizon);
  const plain = { ambient: palette.sky[2], amount: 0.15 };
  const clouds = row(stage, "clouds", {
    icons: ["white-cloud"],
    count: (palette.dark ? 2 : overcast ? 7 : 4) * Math.max(1, width / horizon / 2.4),
    size: unit * (stormy ? 340 : 230),
    base: [horizon * 0.3, horizon * 0.58],
    depth: 0.1,
    haze: palette.dark || stormy ? 0.35 : 0.1,
  });
  const side = width * (random.fork("side").next() < 0.5 ? 0.18 : 0.82);
  const bow = Math.min(width, horizon * 1.9);
  return [
    { ...sky, svg: sky.svg + below, box: fullBox(stage) },
    ...(palette.dark ? [stars(stage)] : []),
    ...(weathers.has("aurora") ? [aurora(stage)] : []),
    ...(overcast && !palette.dark ? [] : [lightDisc(stage)]),
    ...(weathers.has("rainbow")
      ? [{ svg: placeIcon("arch", plain, width / 2, horizon * 1.06, bow), box: fullBox(stage), depth: 0.06 }]
      : []),
    { ...clouds, move: (turn: number) => ({ dx: width * 0.035 * swing(turn, 0) }) },
    ...(stormy
      ? [
          {
            svg: placeIcon("high-voltage", plain, side, horizon * 0.92, horizon * 0.55),
            box: fullBox(stage, 0, horizon),
            depth: 0.1,
            move: (turn: number) => ({ alpha: swing(turn, 0.25, 3) > 0.2 ? 1 : 0.25 }),
          },
        ]
      : []),
  ];
}

function stars(stage: Stage): Sprite {
  const random = stage.random.fork("stars");
  const deep = stage.place === "space" ? stage.height : stage.horizon;
  const dots = Array.from({ length: 140 }, () => {
    const cy = deep * random.next() ** 1.2;
    const r = stage.unit * (0.9 + 2.6 * random.next() ** 4);
    const cx = random.between(0, stage.width);
    return tag("circle", { cx, cy, r, fill: "#fff6dc", "fill-opacity": 1 - 0.6 * (cy / deep) });
  });
  return {
    svg: dots.join(""),
    box: fullBox(stage, 0, deep),
    depth: 0.02,
    move: (turn) => ({ alpha: 0.72 + 0.28 * swing(turn, 0, 2) }),
  };
}

/** Sun or moon, with its glow. */
function lightDisc(stage: Stage): Sprite {
  const { width, palette, unit, horizon, reading } = stage;
  const random = stage.random.fork("light");
  const low = /dawn|sunset/.test(hourOf(reading, stage.place));
  const cx = width * (random.next() < 0.5 ? random.between(0.14, 0.34) : random.between(0.66, 0.86));
  const cy = horizon * (low ? random.between(0.66, 0.8) : random.between(0.2, 0.32));
  const r = unit * (low ? 74 : reading.lights.length > 0 ? 84 : 56);
  const glow = ["bf", "33", "18", "0a", "00"].map((opacity) => palette.light + opacity);
  const disc = palette.dark
    ? placeIcon("full-moon", { ambient: palette.light, amount: 0.7 }, cx, cy + r * 1.1, r * 2.2)
    : tag("circle", { cx, cy, r, fill: palette.light });
  const svg =
    gradient("glow", glow, "radial") + tag("circle", { cx, cy, r: r * 5, fill: "url(#glow)" }) + disc;
  return { svg, box: { x: cx - r * 5, y: cy - r * 5, width: r * 10, height: r * 10 }, depth: 0.04 };
}

/** Oxygen green, nitrogen violet, and where they meet. */
function aurora(stage: Stage): Sprite {
  const { width, horizon } = stage;
  const random = stage.random.fork("aurora");
  const curtains = ["#4df0a8", "#8a5cf0", "#2fd6c3"].map((color, i) => {
    const [y, bend] = [horizon * random.between(0.35, 0.6), horizon * random.between(0.08, 0.2)];
    const edge = `C${width * 0.3} ${y - bend} ${width * 0.6} ${y + bend} ${width} ${y - bend / 2}`;
    const light = gradient(`aurora${i}`, [`${color}00`, `${color}55`, `${color}88`, `${color}00`]);
    return light + tag("path", { d: `M0 ${y}${edge}V${y - horizon * 0.5}H0Z`, fill: `url(#aurora${i})` });
  });
  return {
    svg: curtains.join(""),
    box: fullBox(stage, 0, horizon),
    depth: 0.03,
    move: (turn) => ({ alpha: 0.75 + 0.25 * swing(turn, 0) }),
  };
}

/** What falls or lies between us and everything else. */
export function drawAir(stage: Stage): Sprite[] {
  const { width, height, horizon, palette, unit } = stage;
  const weathers = new Set<string>(stage.reading.weathers);
  const air: Sprite[] = [];
  if (weathers.has("fog")) {
    const haze = mix(palette.sky[2], "#eef1f3", 0.5);
    const veil = gradient("fog", [`${haze}00`, `${haze}9e`, `${haze}2e`]);
    const box = fullBox(stage, horizon * 0.5);
    air.push({ svg: veil + tag("rect", { ...box, fill: "url(#fog)" }), box, depth: 0.5 });
  }
  if (weathers.has("rain") || weathers.has("storm"))
    air.push(
      falling(stage, 2, (x, y, s) => {
        const d = `M${x} ${y}l${-10 * s} ${40 * s}`;
        return tag("path", { d, stroke: "#dcebf7", "stroke-width": 2.2 * unit, "stroke-opacity": 0.5 });
      }),
    );
  if (weathers.has("snow"))
    air.push(
      falling(stage, 1, (x, y, s) => tag("circle", { cx: x, cy: y, r: 5 * s, fill: "#fff", opacity: 0.9 })),
    );
  if (weathers.has("wind")) {
    const base = [height * 0.25, height * 0.85] as const;
    const icons = ["leaf-fluttering-in-wind"] as const;
    const leaves = row(stage, "leaves", { icons, count: 6, size: unit * 60, base, depth: 0.5 });
    air.push({ ...leaves, move: (turn) => ({ dx: width * 0.06 * swing(turn, 0) }) });
  }
  return air;
}

/** Twice as tall as the stage and the same in both halves, so that it falls for ever. */
function falling(
  stage: Stage,
  cycles: number,
  draw: (x: number, y: number, scale: number) => string,
): Sprite {
  const { width, height, unit } = stage;
  const random = stage.random.fork("falling");
  const drops = Array.from({ length: Math.round(120 * Math.max(1, width / height)) }, () => {
    const [x, y, scale] = [random.between(0, width), random.between(0, height), random.between(0.6, 1.4)];
    return draw(x, y, scale * unit) + draw(x, y - height, scale * unit);
  });
  return {
    svg: drops.join(""),
    box: fullBox(stage, -height),
    depth: 0.6,
    move: (turn) => ({ dy: ((turn * cycles * 2) % 1) * height }),
  };
}
