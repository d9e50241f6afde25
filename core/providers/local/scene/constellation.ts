// A night sky drawn like an old star chart: nebulae, the Milky Way, figures of stars, fine circles, a dark skyline below.
import { lighten, mix, type Color } from "./color.ts";
import { hillLine } from "./noise.ts";
import { createPlaces, type Random } from "./random.ts";
import { drawStars } from "./sky.ts";
import { type Drawing, type Stage, sway } from "./stage.ts";
import {
  circle,
  ellipse,
  group,
  linearGradient,
  n,
  path,
  polyline,
  type Point,
  radialGradient,
  rect,
  stroke,
} from "./svg.ts";
import { speaksOf } from "./words.ts";

export function composeConstellation(stage: Stage): Drawing {
  const { width, height, palette } = stage;
  // A night in the prompt's colours, whatever time of day the palette is of.
  const deep = mix("#050820", palette.accents[0], 0.1);
  const rim = mix(mix("#22306b", palette.sky[1], 0.45), palette.accents[0], palette.dark ? 0.12 : 0.24);
  const backdrop =
    linearGradient("night", [
      [0, deep],
      [0.62, mix(deep, rim, 0.6)],
      [1, rim],
    ]) + rect(0, 0, width, height, "url(#night)");
  const nebula = drawNebula(stage);
  const stars = drawStars({ ...stage, palette: { ...palette, dark: true } }, height * 1.1, 1.7);
  const figures = drawFigures(stage);
  const chart = drawChart(stage);
  const planet = speaksOf(stage.words, "planet space saturn galaxy rocket astronaut mars")
    ? drawPlanet(stage)
    : () => "";
  const ground = speaksOf(stage.words, "space galaxy universe cosmos nebula planet")
    ? ""
    : drawGround(stage, mix(deep, "#000000", 0.55));
  return (motion) => {
    const turned = `transform="rotate(${n(motion.drift * -14)} ${n(width / 2)} ${n(height * 1.15)})"`;
    return (
      backdrop +
      nebula(motion) +
      group(stars(motion) + chart + figures(motion), turned) +
      planet(motion) +
      ground
    );
  };
}

function drawNebula(stage: Stage): Drawing {
  const { width, height, unit, palette } = stage;
  const random = stage.random.fork("nebula");
  const slope = random.between(-0.7, 0.7);
  const colors = [palette.accents[0], palette.accents[1], palette.accents[2], palette.sky[2]].map((color) =>
    lighten(color, -0.06),
  );
  const clouds = Array.from({ length: 17 }, () => {
    const along = random.between(-0.1, 1.1);
    const scatter = (random.next() + random.next() - 1) * 0.26;
    return {
      x: along * width,
      y: height * (0.42 + slope * (along - 0.5) + scatter),
      rx: unit * random.between(190, 460),
      ry: unit * random.between(90, 220),
      gas: random.whole(0, colors.length - 1),
      opacity: random.between(0.22, 0.52),
      phase: random.next(),
      angle: (Math.atan2(slope * height, width) * 180) / Math.PI,
    };
  });
  const dust = Array.from({ length: 420 }, () => {
    const along = random.next();
    const scatter = (random.next() + random.next() + random.next() - 1.5) * 0.24;
    return circle(
      along * width,
      height * (0.42 + slope * (along - 0.5) + scatter),
      unit * random.between(0.4, 1.2),
      "#fff6e6",
      `fill-opacity="${n(random.between(0.25, 0.75))}"`,
    );
  }).join("");
  const soft = colors
    .map((color, i) =>
      radialGradient(`gas${i}`, [
        [0, color, 0.9],
        [0.4, color, 0.5],
        [0.75, color, 0.12],
        [1, color, 0],
      ]),
    )
    .join("");
  return (motion) =>
    soft +
    clouds
      .map(({ x, y, rx, ry, gas, opacity, phase, angle }) =>
        ellipse(
          x,
          y,
          rx,
          ry,
          `url(#gas${gas})`,
          `fill-opacity="${n(opacity * (0.85 + 0.15 * sway(motion, 1, phase)))}" transform="rotate(${n(angle)} ${n(x)} ${n(y)})"`,
        ),
      )
      .join("") +
    dust;
}

/** Two to four figures, each a chain of bright stars with a branch or two. */
function drawFigures(stage: Stage): Drawing {
  const { width, height, unit, palette } = stage;
  const random = stage.random.fork("figures");
  const ink = mix(palette.light, palette.accents[3], 0.3);
  const count = width > height * 1.4 ? 4 : 3;
  const figures = Array.from({ length: count }, (_, i) => {
    const center: Point = [
      width * ((i + 0.5) / count + random.between(-0.06, 0.06)),
      height * (i % 2 === 0 ? random.between(0.2, 0.36) : random.between(0.46, 0.62)),
    ];
    return figure(random.fork(`figure${i}`), center, unit * random.between(120, 170));
  });
  const halo = radialGradient("halo", [
    [0, "#ffffff", 0.9],
    [0.2, palette.light, 0.45],
    [1, palette.light, 0],
  ]);
  const lines = figures
    .map(({ stars, links }) =>
      stroke(
        links.map(([a, b]) => shortened(stars[a], stars[b], unit * 9)).join(""),
        ink,
        unit * 1.9,
        'stroke-opacity="0.78"',
      ),
    )
    .join("");
  return (motion) => {
    const lights = figures.flatMap(({ stars }, i) =>
      stars.map(([x, y], k) => {
        const shine = 1 + 0.16 * sway(motion, 1 + (k % 2), (i * 7 + k) / 11);
        const size = unit * (k % 3 === 0 ? 5.6 : 3.8);
        return circle(x, y, size * 5.2 * shine, "url(#halo)") + circle(x, y, size * shine, "#fffdf6");
      }),
    );
    return halo + lines + lights.join("");
  };
}

function figure(
  random: Random,
  [cx, cy]: Point,
  size: number,
): { stars: Point[]; links: (readonly [number, number])[] } {
  const stars: Point[] = [];
  const links: (readonly [number, number])[] = [];
  const length = random.whole(5, 7);
  let heading = random.between(-0.5, 0.5);
  let [x, y] = [cx - size * 0.95, cy + random.between(-0.4, 0.4) * size];
  for (let i = 0; i < length; i++) {
    if (i > 0) links.push([i - 1, i]);
    stars.push([x, y]);
    const step = size * random.between(0.3, 0.46);
    x += Math.cos(heading) * step;
    y += Math.sin(heading) * step;
    heading += random.between(0.35, 1) * (i % 2 === 0 ? 1 : -1.1);
  }
  const root = stars[2] ?? [cx, cy];
  stars.push([
    root[0] + size * random.between(-0.2, 0.2),
    root[1] + size * random.between(0.45, 0.6) * (random.chance(0.5) ? 1 : -1),
  ]);
  links.push([2, stars.length - 1]);
  return { stars, links };
}

/** A line between two stars that leaves their glow free. */
function shortened(from: Point | undefined, to: Point | undefined, gap: number): string {
  if (!from || !to) return "";
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const part = Math.min(0.4, gap / Math.hypot(dx, dy));
  return `M${n(from[0] + dx * part)} ${n(from[1] + dy * part)}L${n(to[0] - dx * part)} ${n(to[1] - dy * part)}`;
}

/** Circles of declination and hour lines, as on a printed chart. */
function drawChart({ width, height, unit, palette }: Stage): string {
  const ink = mix(palette.light, palette.sky[3], 0.3);
  const [x, y] = [width / 2, height * 1.15];
  const rings = [0.45, 0.66, 0.87, 1.08].map(
    (part) =>
      `<circle cx="${n(x)}" cy="${n(y)}" r="${n(height * part)}" fill="none" stroke="${ink}" stroke-width="${n(unit * 0.9)}" stroke-dasharray="${n(unit * 2)} ${n(unit * 7)}" stroke-opacity="0.6"/>`,
  );
  const rays = Array.from({ length: 13 }, (_, i) => {
    const angle = Math.PI + (Math.PI * i) / 12;
    return `M${n(x + Math.cos(angle) * height * 0.45)} ${n(y + Math.sin(angle) * height * 0.45)}L${n(x + Math.cos(angle) * height * 1.3)} ${n(y + Math.sin(angle) * height * 1.3)}`;
  });
  return rings.join("") + stroke(rays.join(""), ink, unit * 0.8, 'stroke-opacity="0.24"');
}

function drawPlanet(stage: Stage): Drawing {
  const { width, height, unit, palette } = stage;
  const random = stage.random.fork("planet");
  const radius = unit * random.between(120, 185);
  const [x, y] = [width * random.between(0.3, 0.72), height * random.between(0.5, 0.66)];
  const [base, band] = [palette.accents[0], palette.accents[2]];
  const ringed = random.chance(0.65);
  const bands = Array.from({ length: 9 }, (_, i) => ({
    y: -radius + (2 * radius * (i + 0.5)) / 9,
    thick: radius * random.between(0.04, 0.17),
    color: random.chance(0.5) ? band : lighten(base, 0.12),
  }));
  const shade = radialGradient("shade", [
    [0, "#000000", 0],
    [0.62, "#05030f", 0.1],
    [1, "#05030f", 0.86],
  ]);
  const ring = (front: boolean): string =>
    `<path d="M${n(-radius * 1.9)} 0A${n(radius * 1.9)} ${n(radius * 0.46)} 0 0 ${front ? 0 : 1} ${n(radius * 1.9)} 0" fill="none" stroke="${palette.accents[3]}" stroke-width="${n(unit * 15)}" stroke-opacity="0.72"/>`;
  return (motion) => {
    const stripes = bands
      .map((stripe, i) =>
        ellipse(
          unit * 12 * sway(motion, 1, i / 9),
          stripe.y,
          radius * 1.1,
          stripe.thick,
          stripe.color,
          'fill-opacity="0.6"',
        ),
      )
      .join("");
    const ball = `<defs><clipPath id="ball"><circle r="${n(radius)}"/></clipPath></defs><g clip-path="url(#ball)">${circle(0, 0, radius, base)}${stripes}${circle(-radius * 0.42, -radius * 0.42, radius * 1.9, "url(#shade)")}</g>`;
    return (
      shade +
      group(
        (ringed ? ring(false) : "") + ball + (ringed ? ring(true) : ""),
        `transform="translate(${n(x - motion.drift * width * 0.12)} ${n(y)}) rotate(-17)"`,
      )
    );
  };
}

function drawGround(stage: Stage, color: Color): string {
  const { width, height, unit } = stage;
  const random = stage.random.fork("ground");
  const line = hillLine(random, 3);
  const at = createPlaces(random);
  const crest = (x: number): number => height * 0.9 - unit * 46 * line(x / (unit * 420));
  const top: Point[] = [];
  for (let x = -10; x <= width + 10; x += unit * 8) top.push([x, crest(x)]);
  const spacing = unit * 15;
  const trees: string[] = [];
  for (let place = 0; place * spacing < width; place++) {
    const x = (place + at(place)) * spacing;
    const tall = unit * (26 + 70 * at(place, 1) ** 2);
    const foot = crest(x) + unit * 6;
    if (at(place, 2) < 0.72)
      trees.push(
        [0, 1, 2]
          .map(
            (tier) =>
              `M${n(x - tall * (0.2 - 0.05 * tier))} ${n(foot - tall * 0.27 * tier)}L${n(x)} ${n(foot - tall * (0.46 + 0.27 * tier))}L${n(x + tall * (0.2 - 0.05 * tier))} ${n(foot - tall * 0.27 * tier)}Z`,
          )
          .join(""),
      );
  }
  return path(`${polyline(top)}L${n(width + 10)} ${n(height)}L-10 ${n(height)}Z${trees.join("")}`, color);
}
