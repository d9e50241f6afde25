// What everything stands on, floats on or swims in: land, water, a town, a room, or nothing but colour.
import { mix } from "./color.ts";
import { drawIcon } from "./icons.ts";
import { hillLine, ridgeLine } from "./noise.ts";
import { drawRays } from "./sky.ts";
import { backdrop, fullBox, landBelow, type Sprite, type Stage, swing } from "./stage.ts";
import { circle, ellipse, group, linearGradient, n, path, radialGradient, rect, stroke } from "./svg.ts";

export type Ground = {
  readonly sprites: readonly Sprite[];
  /** Where the farthest and the nearest things stand. */
  readonly far: number;
  readonly near: number;
  /** Where the water is that things float on or swim in. */
  readonly water?: { readonly top: number; readonly bottom: number };
};

export function drawGround(stage: Stage): Ground {
  const { place, height, horizon } = stage;
  const depth = height - horizon;
  switch (place) {
    case "room":
      return room(stage);
    case "studio":
      return studio(stage);
    case "underwater":
      return seabed(stage);
    case "sky":
      return { sprites: [cloudSea(stage)], far: height * 0.9, near: height * 0.96 };
    case "sea":
      return {
        sprites: [...behind(stage), ...water(stage, horizon, height), shore(stage, 0.93)],
        far: height * 0.95,
        near: height * 0.97,
        water: { top: horizon, bottom: height * 0.93 },
      };
    case "beach":
      return {
        sprites: [
          ...behind(stage),
          ...water(stage, horizon, horizon + depth * 0.5),
          shore(stage, (horizon + depth * 0.4) / height),
        ],
        far: horizon + depth * 0.52,
        near: height * 0.95,
        water: { top: horizon, bottom: horizon + depth * 0.38 },
      };
    case "lake":
    case "river":
      return {
        sprites: [
          ...behind(stage),
          hills(stage, 1, 0.04),
          ...water(stage, horizon + depth * 0.16, horizon + depth * 0.68),
          hills(stage, 2, 0.6),
        ],
        far: horizon + depth * 0.66,
        near: height * 0.95,
        water: { top: horizon + depth * 0.2, bottom: horizon + depth * 0.6 },
      };
    default:
      return {
        sprites: [
          ...behind(stage),
          hills(stage, 1, 0.08),
          ...dressing(stage),
          hills(stage, 2, 0.44),
          ...(place === "city" ? [road(stage)] : []),
        ],
        far: horizon + depth * 0.26,
        near: height * 0.95,
      };
  }
}

/** What lies on the horizon: mountains, woods or a town where the prompt names them, else a hill. */
function behind(stage: Stage): Sprite[] {
  const places = new Set(stage.reading.places);
  const named = [
    ...(places.has("mountains") ? [mountains(stage)] : []),
    ...(places.has("city") ? [town(stage)] : []),
  ];
  const open = stage.place === "sea" || stage.place === "beach" || stage.place === "space";
  const woods = places.has("forest") || places.has("jungle") ? [hills(stage, 0, -0.05), woodland(stage)] : [];
  return [...named, ...woods, ...(named.length + woods.length > 0 || open ? [] : [hills(stage, 0, -0.06)])];
}

/** One of three rolling lines; `at` in parts of the ground. */
function hills(stage: Stage, layer: 0 | 1 | 2, at: number): Sprite {
  const { width, height, horizon, palette, unit } = stage;
  const line = hillLine(stage.random.fork(`hills${layer}`), layer === 0 ? 2 : 1);
  const steep =
    unit *
    (stage.place === "hills" ? 90 : stage.place === "city" || stage.place === "arctic" ? 14 : 42) *
    (layer === 2 ? 0.55 : 1);
  const base = horizon + (height - horizon) * at;
  const color = palette.ground[layer];
  const fill = stage.flat ? color : `url(#hill${layer})`;
  const shade = linearGradient(`hill${layer}`, [
    [0, mix(color, palette.light, 0.16)],
    [1, mix(color, "#10202c", 0.16)],
  ]);
  const svg = landBelow(stage, (x) => base + steep * line((x / width) * 2.2), fill);
  return {
    svg: (stage.flat ? "" : shade) + svg,
    box: fullBox(stage, base - steep * 1.2),
    depth: [0.2, 0.45, 0.8][layer] ?? 1,
  };
}

function mountains(stage: Stage): Sprite {
  const { width, horizon, palette } = stage;
  const ridge = ridgeLine(stage.random.fork("ridge"), 3);
  const rock = mix("#6d7f96", palette.sky[2], 0.3);
  const top = (x: number): number => horizon * (0.62 - 0.34 * ridge((x / width) * 2.1));
  const cap = mix("#ffffff", palette.ambient, palette.ambientAmount);
  const snow = landBelow(stage, top, cap);
  // The snow ends in a jagged line some way below the crest, higher where the mountain is low.
  const zigzag = ridgeLine(stage.random.fork("snow"), 2);
  const bare = landBelow(
    stage,
    (x) => Math.max(top(x), horizon * (0.52 + 0.07 * zigzag((x / width) * 16))),
    mix(rock, palette.ambient, palette.ambientAmount),
  );
  return { svg: snow + bare, box: fullBox(stage, horizon * 0.2), depth: 0.15 };
}

function woodland(stage: Stage): Sprite {
  const { width, horizon, unit, palette } = stage;
  const random = stage.random.fork("woods");
  const tropical = stage.reading.places.includes("jungle");
  const kinds = tropical
    ? (["palm-tree", "deciduous-tree"] as const)
    : (["evergreen-tree", "evergreen-tree", "deciduous-tree"] as const);
  const count = Math.ceil(width / (unit * 95));
  const tone = {
    ambient: mix(palette.sky[2], palette.ambient, palette.ambientAmount),
    amount: 0.3 + palette.ambientAmount * 0.6,
  };
  const trees = Array.from({ length: count }, (_, i) => {
    const size = unit * random.between(190, 290);
    return place(
      drawIcon(random.pick(kinds), tone),
      ((i + random.between(0.2, 0.8)) / count) * width - size / 2,
      horizon + unit * random.between(20, 60) - size,
      size,
    );
  });
  return { svg: trees.join(""), box: fullBox(stage, horizon - unit * 290, horizon + unit * 70), depth: 0.3 };
}

function town(stage: Stage): Sprite {
  const { width, horizon, unit, palette } = stage;
  const random = stage.random.fork("town");
  const houses: string[] = [];
  for (let x = -unit * 30; x < width;) {
    const wide = unit * random.between(70, 130);
    const tall = horizon * random.between(0.22, 0.72);
    const wall = mix(random.pick(["#8b93a8", "#a99a9f", "#7f8ca0", "#b3a691"]), palette.sky[2], 0.35);
    const [lit, unlit] = palette.dark
      ? ["#ffdf8a", "#26325c"]
      : [mix(wall, "#ffffff", 0.45), mix(wall, "#33415c", 0.3)];
    houses.push(
      rect(
        x,
        horizon - tall,
        wide,
        tall + unit * 60,
        mix(wall, palette.ambient, palette.ambientAmount * 1.3),
      ),
    );
    for (let y = horizon - tall + unit * 16; y < horizon - unit * 20; y += unit * 34)
      for (let at = x + unit * 12; at < x + wide - unit * 18; at += unit * 26)
        houses.push(rect(at, y, unit * 12, unit * 17, random.chance(0.5) ? lit : unlit));
    x += wide + unit * random.between(-6, 14);
  }
  return { svg: houses.join(""), box: fullBox(stage, horizon * 0.25, horizon + unit * 60), depth: 0.25 };
}

function road(stage: Stage): Sprite {
  const { width, height, horizon, unit } = stage;
  const [top, bottom] = [horizon + (height - horizon) * 0.56, height];
  const asphalt = mix("#4d515c", stage.palette.ambient, stage.palette.ambientAmount);
  const marks = Array.from({ length: 9 }, (_, i) =>
    rect(
      width * ((i + 0.2) / 9),
      top + (bottom - top) * 0.46,
      width * 0.06,
      unit * 13,
      "#f4efdf",
      'fill-opacity="0.85"',
    ),
  );
  return {
    svg:
      rect(0, top, width, bottom - top, asphalt) +
      rect(0, top, width, unit * 10, mix(asphalt, "#ffffff", 0.4)) +
      marks.join(""),
    box: fullBox(stage, top),
    depth: 0.85,
  };
}

/** Small plants and stones that belong to a place, none of them large enough to be what was asked for. */
function dressing(stage: Stage): Sprite[] {
  const { width, height, horizon, unit, palette, place: here, reading } = stage;
  const bare = reading.season === "winter" || reading.weathers.includes("snow") || here === "arctic";
  const by: Partial<Record<Stage["place"], string[]>> = {
    desert: ["cactus", "rock"],
    forest: ["evergreen-tree", "mushroom", "herb"],
    jungle: ["palm-tree", "herb", "hibiscus"],
    city: [],
    space: ["rock"],
  };
  const kinds = bare
    ? ["evergreen-tree"]
    : (by[here] ?? (reading.season === "autumn" ? ["fallen-leaf", "herb"] : ["herb", "blossom", "herb"]));
  if (kinds.length === 0) return [];
  const random = stage.random.fork("dressing");
  const tone = { ambient: palette.ambient, amount: palette.ambientAmount };
  const plants = Array.from({ length: 9 }, (_, i) => {
    const icon = kinds[i % kinds.length] ?? "herb";
    const size = unit * random.between(0.8, 1.2) * (/tree|cactus/.test(icon) ? 130 : 52);
    const x = random.chance(0.5) ? random.between(0, 0.3) : random.between(0.7, 1);
    return [
      horizon + (height - horizon) * random.between(0.26, 0.5),
      place(drawIcon(icon, tone), x * width - size / 2, -size, size),
    ] as const;
  });
  const svg = plants
    .toSorted(([a], [b]) => a - b)
    .map(([y, plant]) => group(plant, `transform="translate(0 ${n(y)})"`));
  return [{ svg: svg.join(""), box: fullBox(stage, horizon - unit * 160), depth: 0.55 }];
}

function water(stage: Stage, top: number, bottom: number): Sprite[] {
  const { width, unit, palette, random } = stage;
  const [far, near] = palette.water;
  const body: Sprite = {
    svg: backdrop(stage, "water", { x: 0, y: top, width, height: bottom - top }, [
      far,
      mix(far, near, 0.5),
      near,
    ]),
    box: fullBox(stage, top, bottom),
    depth: 0.3,
  };
  const glints = [0, 0.5].map((phase): Sprite => {
    const places = random.fork(`glints${phase}`);
    const lines = Array.from({ length: 34 }, () => {
      const depth = places.next();
      const long = unit * (14 + 80 * depth);
      return stroke(
        `M${n(places.between(0, width))} ${n(top + unit * 8 + (bottom - top) * depth * 0.96)}q${n(long / 2)} ${n(-unit * 7 * depth)} ${n(long)} 0`,
        mix(far, "#ffffff", 0.6),
        unit * (1.5 + 3 * depth),
        'stroke-opacity="0.55" stroke-linecap="round"',
      );
    });
    return {
      svg: lines.join(""),
      box: fullBox(stage, top, bottom),
      depth: 0.35,
      move: (turn) => ({ dx: unit * 16 * swing(turn, phase), dy: 0, alpha: 0.6 + 0.4 * swing(turn, phase) }),
    };
  });
  return [body, ...glints];
}

function shore(stage: Stage, at: number): Sprite {
  const { width, height, unit, palette } = stage;
  const line = hillLine(stage.random.fork("shore"), 1);
  const sand = mix("#f0d79c", palette.ambient, palette.ambientAmount);
  const y = (x: number): number => height * at + unit * 22 * line((x / width) * 1.6);
  const foam = landBelow(
    stage,
    (x) => y(x) - unit * 11,
    mix("#ffffff", palette.ambient, palette.ambientAmount),
  );
  return {
    svg: group(foam, 'opacity="0.7"') + landBelow(stage, y, sand),
    box: fullBox(stage, height * at - unit * 40),
    depth: 0.8,
  };
}

function seabed(stage: Stage): Ground {
  const { width, height, unit, palette, random } = stage;
  const deep = backdrop(stage, "deep", fullBox(stage), ["#4fb8d8", "#2277ad", "#0f4679"]) + drawRays(stage);
  const line = hillLine(random.fork("seabed"), 1);
  const sand = landBelow(
    stage,
    (x) => height * 0.9 + unit * 26 * line((x / width) * 2),
    mix(palette.ground[1], "#1a5580", 0.3),
  );
  const places = random.fork("corals");
  const corals = Array.from({ length: 7 }, () => {
    const size = unit * places.between(80, 150);
    return place(
      drawIcon("coral", { ambient: "#1a5580", amount: 0.15 + places.next() * 0.25 }),
      places.between(0, width) - size / 2,
      height * 0.95 - size,
      size,
    );
  });
  const bubbles = Array.from({ length: 16 }, () =>
    circle(
      places.between(0, width),
      places.between(0.1, 0.9) * height,
      unit * places.between(4, 13),
      "#ffffff",
      'fill-opacity="0.25"',
    ),
  );
  return {
    sprites: [
      { svg: deep, box: fullBox(stage), depth: 0 },
      {
        svg: bubbles.join(""),
        box: fullBox(stage),
        depth: 0.3,
        move: (turn) => ({ dx: 0, dy: unit * -22 * swing(turn, 0) }),
      },
      { svg: sand + corals.join(""), box: fullBox(stage, height * 0.75), depth: 0.6 },
    ],
    far: height * 0.93,
    near: height * 0.97,
    water: { top: height * 0.14, bottom: height * 0.84 },
  };
}

/** A table before a wall, with light from a window beside the picture. */
function room(stage: Stage): Ground {
  const { width, height, palette } = stage;
  const [wall, wood, edge] = palette.ground;
  const top = height * 0.68;
  const shine = radialGradient("shine", [
    [0, "#ffffff", 0.55],
    [1, "#ffffff", 0],
  ]);
  const light = stage.flat
    ? path(`M0 0H${n(width * 0.5)}L${n(width * 0.2)} ${n(top)}H0Z`, "#ffffff", 'fill-opacity="0.16"')
    : ellipse(width * 0.28, height * 0.24, width * 0.6, height * 0.55, "url(#shine)");
  const grain = [0.25, 0.5, 0.76].map((at) =>
    stroke(
      `M0 ${n(top + (height - top) * at)}q${n(width * 0.3)} ${n(-height * 0.008)} ${n(width)} 0`,
      edge,
      height * 0.004,
      'stroke-opacity="0.6"',
    ),
  );
  const table =
    rect(0, top, width, height - top, wood) +
    rect(0, top, width, height * 0.012, mix(wood, "#ffffff", 0.35)) +
    grain.join("");
  return {
    sprites: [
      { svg: rect(0, 0, width, height, wall) + shine + light + table, box: fullBox(stage), depth: 0.3 },
    ],
    far: height * 0.75,
    near: height * 0.94,
  };
}

function studio(stage: Stage): Ground {
  const { width, height, palette, random, flat } = stage;
  const [tone, second] = palette.ground;
  const [x, y] = [width / 2, height / 2];
  const reach = Math.hypot(width, height) / 2;
  const soft = radialGradient("studio", [
    [0, mix(tone, "#ffffff", 0.72)],
    [0.55, tone],
    [1, mix(second, "#2b2350", 0.3)],
  ]);
  const rays = Array.from({ length: 16 }, (_, i) => {
    const [a, b] = [(i / 16) * 2 * Math.PI, ((i + 0.5) / 16) * 2 * Math.PI];
    return path(
      `M${n(x)} ${n(y)}L${n(x + reach * Math.cos(a))} ${n(y + reach * Math.sin(a))}L${n(x + reach * Math.cos(b))} ${n(y + reach * Math.sin(b))}Z`,
      "#ffffff",
      'fill-opacity="0.13"',
    );
  });
  const dots = Array.from({ length: 18 }, () =>
    circle(
      random.between(0, width),
      random.between(0, height),
      Math.min(width, height) * random.between(0.006, 0.03),
      "#ffffff",
      'fill-opacity="0.3"',
    ),
  );
  const base = flat
    ? rect(0, 0, width, height, tone) + rays.join("")
    : soft + ellipse(x, y, reach, reach, "url(#studio)") + rays.join("");
  return {
    sprites: [
      { svg: base, box: fullBox(stage), depth: 0 },
      {
        svg: dots.join(""),
        box: fullBox(stage),
        depth: 0.3,
        move: (turn) => ({ dx: 0, dy: height * 0.02 * swing(turn, 0) }),
      },
    ],
    far: height * 0.78,
    near: height * 0.9,
  };
}

function cloudSea(stage: Stage): Sprite {
  const { width, height, unit, palette, random } = stage;
  const places = random.fork("cloudsea");
  const puffs = Array.from({ length: 26 }, (_, i) =>
    circle(
      (i / 25) * width,
      height * places.between(0.93, 1),
      unit * places.between(60, 120),
      mix(palette.sky[2], "#ffffff", palette.dark ? 0.2 : places.between(0.5, 0.8)),
    ),
  );
  return { svg: puffs.join(""), box: fullBox(stage, height * 0.78), depth: 0.6 };
}

/** An icon's drawing with its upper left corner at a point. */
export function place(body: string, x: number, y: number, size: number): string {
  return `<svg x="${n(x)}" y="${n(y)}" width="${n(size)}" height="${n(size)}" viewBox="0 0 32 32">${body}</svg>`;
}
