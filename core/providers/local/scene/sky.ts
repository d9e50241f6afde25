// What is above and in the air: the sky, sun, moon and stars, clouds, and every weather.
import { mix } from "./color.ts";
import { hourOf } from "./palette.ts";
import { backdrop, fullBox, type Sprite, type Stage, swing } from "./stage.ts";
import { circle, ellipse, group, linearGradient, n, path, radialGradient, rect, stroke } from "./svg.ts";

export function drawSky(stage: Stage): Sprite[] {
  const { width, height, palette, horizon, reading } = stage;
  const weathers = new Set(reading.weathers);
  const sky: Sprite = {
    svg:
      backdrop(stage, "sky", { x: 0, y: 0, width, height: horizon }, palette.sky) +
      rect(0, horizon - 1, width, height - horizon + 1, palette.sky[2]),
    box: fullBox(stage),
    depth: 0,
  };
  const overcast = ["storm", "rain", "fog", "snow", "cloudy"].some((weather) =>
    weathers.has(weather as "rain"),
  );
  const disc = overcast && !palette.dark ? [] : [lightDisc(stage)];
  const shining = disc.map(({ box }) => box.x + box.width / 2);
  return [
    sky,
    ...(palette.dark ? [stars(stage, 0), stars(stage, 0.5)] : []),
    ...(weathers.has("aurora") ? [aurora(stage)] : []),
    ...disc,
    ...(weathers.has("rainbow") ? [rainbow(stage)] : []),
    ...clouds(stage, weathers.has("storm") ? 9 : palette.dark ? 2 : overcast ? 7 : 4, shining[0]),
    ...(weathers.has("storm") ? [lightning(stage)] : []),
  ];
}

function stars(stage: Stage, phase: number): Sprite {
  const random = stage.random.fork(`stars${phase}`);
  const deep = stage.place === "space" ? stage.height : stage.horizon;
  const dots = Array.from({ length: 70 }, () => {
    const y = deep * random.next() ** 1.2;
    const radius = stage.unit * (0.9 + 2.6 * random.next() ** 4);
    return circle(
      random.between(0, stage.width),
      y,
      radius,
      "#fff6dc",
      `fill-opacity="${n(1 - 0.6 * (y / deep))}"`,
    );
  });
  return {
    svg: dots.join(""),
    box: fullBox(stage, 0, deep),
    depth: 0.02,
    move: (turn) => ({ dx: 0, dy: 0, alpha: 0.72 + 0.28 * swing(turn, phase, 2) }),
  };
}

/** Sun or moon, with its glow. */
function lightDisc(stage: Stage): Sprite {
  const { width, palette, unit, flat, horizon } = stage;
  const random = stage.random.fork("light");
  const hour = hourOf(stage.reading, stage.place);
  const low = hour === "dawn" || hour === "sunset";
  const x = width * (random.chance(0.5) ? random.between(0.14, 0.34) : random.between(0.66, 0.86));
  const y = horizon * (low ? random.between(0.66, 0.8) : random.between(0.2, 0.32));
  const radius = unit * (low ? 74 : stage.reading.lights.length > 0 ? 84 : 56);
  const rings = [2.6, 1.9, 1.4]
    .map((times) => circle(x, y, radius * times, palette.light, 'fill-opacity="0.13"'))
    .join("");
  const glow =
    radialGradient("glow", [
      [0, palette.light, 0.75],
      [0.3, palette.light, 0.28],
      [1, palette.light, 0],
    ]) + circle(x, y, radius * 5, "url(#glow)");
  const craters = [
    [-0.3, -0.2, 0.2],
    [0.35, 0.1, 0.15],
    [-0.05, 0.42, 0.13],
  ].map(([dx = 0, dy = 0, r = 0]) =>
    circle(x + dx * radius, y + dy * radius, r * radius, mix(palette.light, "#8f8a86", 0.28)),
  );
  const svg =
    (flat ? rings : glow) + circle(x, y, radius, palette.light) + (palette.dark ? craters.join("") : "");
  const reach = radius * 5;
  return { svg, box: { x: x - reach, y: y - reach, width: reach * 2, height: reach * 2 }, depth: 0.04 };
}

/** None before sun or moon. */
function clouds(stage: Stage, count: number, avoidX = -stage.width): Sprite[] {
  const { width, unit, palette, horizon, reading } = stage;
  const random = stage.random.fork("clouds");
  const heavy = reading.weathers.includes("storm");
  const white = palette.dark
    ? mix(palette.sky[1], "#ffffff", 0.22)
    : mix(palette.sky[2], heavy ? "#3f4a5c" : "#ffffff", heavy ? 0.6 : 0.75);
  return Array.from({ length: count }, (_, i) => {
    const size = unit * random.between(60, 105) * (heavy ? 1.5 : 1);
    const any = ((i + random.next()) / count) * width;
    const x = Math.abs(any - avoidX) > size * 2.4 ? any : any + size * 4 * Math.sign(any - avoidX || 1);
    const y = horizon * random.between(0.1, heavy ? 0.34 : 0.5);
    const puffs = [
      [-1.25, 0, 0.5],
      [-0.55, -0.35, 0.72],
      [0.25, -0.5, 0.85],
      [0.95, -0.15, 0.6],
      [1.5, 0.05, 0.42],
    ]
      .map(([dx = 0, dy = 0, r = 0]) =>
        circle(
          x + dx * size,
          y + dy * size * random.between(0.8, 1.2),
          r * size * random.between(0.85, 1.1),
          white,
        ),
      )
      .join("");
    const base = rect(x - size * 1.7, y, size * 3.5, size * 0.5, white, `rx="${n(size * 0.25)}"`);
    const phase = random.next();
    return {
      svg: group(puffs + base, `opacity="${stage.flat ? 1 : 0.86}"`),
      box: { x: x - size * 2.2, y: y - size * 1.7, width: size * 4.4, height: size * 2.5 },
      depth: 0.1,
      move: (turn: number) => ({ dx: width * 0.035 * swing(turn, phase), dy: 0 }),
    };
  });
}

function rainbow(stage: Stage): Sprite {
  const { width, horizon, unit } = stage;
  const radius = Math.min(width * 0.48, horizon * 0.92);
  const bands = ["#e5484d", "#f5893d", "#f6d14a", "#59b56a", "#4a90d9", "#7d5bc4"].map((color, i) =>
    circle(
      width / 2,
      horizon * 1.06,
      radius - i * unit * 17,
      "none",
      `stroke="${color}" stroke-width="${n(unit * 18)}"`,
    ),
  );
  return { svg: group(bands.join(""), 'opacity="0.72"'), box: fullBox(stage, 0, horizon * 1.1), depth: 0.06 };
}

/** Oxygen green, nitrogen violet, and where they meet. */
function aurora(stage: Stage): Sprite {
  const { width, horizon, random } = stage;
  const places = random.fork("aurora");
  const curtains = ["#4df0a8", "#8a5cf0", "#2fd6c3"].map((color, i) => {
    const [y, bend] = [horizon * places.between(0.35, 0.6), horizon * places.between(0.08, 0.2)];
    const edge = `C${n(width * 0.3)} ${n(y - bend)} ${n(width * 0.6)} ${n(y + bend)} ${n(width)} ${n(y - bend / 2)}`;
    return (
      linearGradient(`aurora${i}`, [
        [0, color, 0],
        [0.75, color, 0.5],
        [1, color, 0],
      ]) + path(`M0 ${n(y)}${edge}V${n(y - horizon * 0.5)}H0Z`, `url(#aurora${i})`)
    );
  });
  return {
    svg: curtains.join(""),
    box: fullBox(stage, 0, horizon),
    depth: 0.03,
    move: (turn) => ({ dx: 0, dy: 0, alpha: 0.75 + 0.25 * swing(turn, 0) }),
  };
}

function lightning(stage: Stage): Sprite {
  const { width, horizon, random } = stage;
  const places = random.fork("lightning");
  const x = width * (places.chance(0.5) ? places.between(0.1, 0.28) : places.between(0.72, 0.9));
  const s = horizon * 0.62;
  const bolt = path(
    `M${n(x)} ${n(horizon * 0.3)}l${n(-s * 0.16)} ${n(s * 0.5)}h${n(s * 0.13)}l${n(-s * 0.1)} ${n(s * 0.5)}l${n(s * 0.3)} ${n(-s * 0.64)}h${n(-s * 0.14)}l${n(s * 0.14)} ${n(-s * 0.36)}Z`,
    "#ffe98a",
  );
  return {
    svg: bolt,
    box: { x: x - s * 0.4, y: horizon * 0.3, width: s * 0.8, height: s * 1.05 },
    depth: 0.1,
    move: (turn) => ({ dx: 0, dy: 0, alpha: swing(turn, 0.25, 3) > 0.2 ? 1 : 0.25 }),
  };
}

/** What falls or lies between us and everything else. */
export function drawAir(stage: Stage): Sprite[] {
  const { width, height, unit, horizon, palette, reading } = stage;
  const has = (weather: Stage["reading"]["weathers"][number]): boolean => reading.weathers.includes(weather);
  const air: Sprite[] = [];
  if (has("fog")) {
    const haze = mix(palette.sky[2], "#eef1f3", 0.5);
    air.push({
      svg:
        linearGradient("fog", [
          [0, haze, 0],
          [0.45, haze, 0.62],
          [1, haze, 0.18],
        ]) + rect(0, horizon * 0.5, width, height - horizon * 0.5, "url(#fog)"),
      box: fullBox(stage, horizon * 0.5),
      depth: 0.5,
      move: (turn) => ({ dx: 0, dy: 0, alpha: 0.9 + 0.1 * swing(turn, 0) }),
    });
  }
  const drop = (x: number, y: number, s: number): string =>
    stroke(`M${n(x)} ${n(y)}l${n(-s * 0.25)} ${n(s)}`, "#dcebf7", unit * 2.2, 'stroke-opacity="0.5"');
  const flake = (x: number, y: number, s: number): string =>
    circle(x, y, s * 0.14, "#ffffff", 'fill-opacity="0.9"');
  if (has("rain") || has("storm")) air.push(falling(stage, "rain", 110, 40, drop, 2));
  if (has("snow")) air.push(falling(stage, "snow", 130, 36, flake, 1));
  if (has("wind")) {
    const gusts = [0.24, 0.4, 0.55].map((y, i) =>
      stroke(
        `M${n(width * (0.1 + i * 0.25))} ${n(height * y)}q${n(unit * 130)} ${n(-unit * 40)} ${n(unit * 260)} 0t${n(unit * 120)} ${n(-unit * 30)}`,
        "#ffffff",
        unit * 7,
        'stroke-opacity="0.6" stroke-linecap="round"',
      ),
    );
    air.push({
      svg: gusts.join(""),
      box: fullBox(stage),
      depth: 0.3,
      move: (turn) => ({ dx: width * 0.06 * swing(turn, 0), dy: 0 }),
    });
  }
  return air;
}

/** Twice as tall as the stage and the same in both halves, so that it falls for ever. */
function falling(
  stage: Stage,
  label: string,
  count: number,
  size: number,
  draw: (x: number, y: number, s: number) => string,
  cycles: number,
): Sprite {
  const { width, height, unit } = stage;
  const random = stage.random.fork(label);
  const half = Array.from(
    { length: Math.round(count * Math.max(1, width / height)) },
    () =>
      [random.between(0, width), random.between(0, height), unit * size * random.between(0.6, 1.4)] as const,
  );
  const svg = half.map(([x, y, s]) => draw(x, y, s) + draw(x, y - height, s)).join("");
  return {
    svg,
    box: { x: 0, y: -height, width, height: height * 2 },
    depth: 0.6,
    move: (turn) => ({ dx: 0, dy: ((turn * cycles * 2) % 1) * height }),
  };
}

/** Light that falls into deep water. */
export function drawRays({ width, height, random }: Stage): string {
  const places = random.fork("rays");
  return (
    Array.from({ length: 5 }, (_, i) => {
      const x = width * (0.1 + i * 0.2 + places.between(-0.06, 0.06));
      const wide = width * places.between(0.03, 0.08);
      return path(
        `M${n(x)} 0h${n(wide)}l${n(wide * 2.2)} ${n(height)}h${n(-wide * 3.4)}Z`,
        "#ffffff",
        'fill-opacity="0.09"',
      );
    }).join("") + ellipse(width / 2, 0, width * 0.7, height * 0.12, "#ffffff", 'fill-opacity="0.14"')
  );
}
