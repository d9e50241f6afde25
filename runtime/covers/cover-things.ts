// Motifs of covers that show things: icons, letters, nodes and blocks, landscapes, patterns and objects.
import { circle, line, type Motif, pick, rect, round, shape, times } from "./cover-shapes.ts";

/** The paths of small icons around (0, 0). */
const SIGNS = [
  "M-30 0a30 30 0 1 0 60 0a30 30 0 1 0-60 0M0-14v16l12 8",
  "M-30 0l22 22 40-44",
  "M0 28c-60-36-22-72 0-44 22-28 60 8 0 44z",
  "M-30-24h60v48h-60zM-30-18l30 26 30-26",
  "M-32 4l32-30 32 30v26h-64z",
  "M-28-6a22 22 0 1 0 44 0a22 22 0 1 0-44 0M12 12l18 18",
  "M0-32l10 20 22 3-16 16 4 23-20-11-20 11 4-23-16-16 22-3z",
  "M-28-18h56M-28 0h56M-28 18h34",
  "M-24-28h48v56l-24-18-24 18z",
  "M-30 20l18-26 14 14 14-30 16 42z",
] as const;
const PAIRS = ["Aa", "Gg", "Rk", "Qy", "&amp;", "Be", "Ww", "Sß", "Fj"] as const;

function signs(draw: (path: string, at: string, i: number) => string, random: () => number): string {
  return times(15, (i) => {
    const path = SIGNS[Math.floor(random() * SIGNS.length)] ?? SIGNS[0];
    return draw(path, `translate(${140 + (i % 5) * 130} ${160 + Math.floor(i / 5) * 140})`, i);
  });
}

export const lineSigns: Motif = ({ ink, accent }, random) =>
  signs((path, at) => `<g transform="${at}">${line(path, random() < 0.25 ? accent : ink, 6)}</g>`, random);

/** Filled icons on tiles. */
export const solidSigns: Motif = ({ ink, accent, from }, random) =>
  signs((path, at) => {
    const isAccent = random() < 0.25;
    return `<g transform="${at}">${rect(-52, -52, 104, 104, { fill: isAccent ? accent : ink, radius: 26 })}<g transform="scale(.82)">${shape(path, from)}${line(path, from, 5)}</g></g>`;
  }, random);

/** Moving icons, each with a trail. */
export const movingSigns: Motif = ({ ink, accent }, random) =>
  signs((path, at) => {
    const turn = Math.round(random() * 30 - 15);
    return `<g transform="${at}">${times(2, (i) => `<g transform="translate(${-26 + i * 13} ${10 - i * 5})">${line(path, accent, 4, 0.25 + i * 0.25)}</g>`)}<g transform="rotate(${turn})">${line(path, ink, 6)}</g></g>`;
  }, random);

/** Solids with three visible faces. */
export const solids: Motif = ({ ink, accent, from }, random) =>
  times(7, (i) => {
    const x = 170 + (i % 4) * 152 + (i > 3 ? 76 : 0);
    const y = (i > 3 ? 390 : 210) + random() * 20;
    const size = 52 + random() * 24;
    const [w, h] = [round(size), round(size / 2)];
    const body = i % 3 === 1 ? accent : ink;
    if (i % 3 === 2)
      return (
        circle(x, y, size * 0.85, accent, 0.9) +
        circle(x - size * 0.28, y - size * 0.3, size * 0.26, from, 0.75)
      );
    return [
      shape(`M${x} ${round(y - size)}l${w} ${h}l${-w} ${h}l${-w} ${-h}z`, from, 0.95),
      shape(`M${x - w} ${round(y - h)}l${w} ${h}v${w}l${-w} ${-h}z`, body, 0.85),
      shape(`M${x + w} ${round(y - h)}l${-w} ${h}v${w}l${w} ${-h}z`, body, 0.55),
    ].join("");
  });

/** Letters in a typeface of their own: large, in rows, or as a line of text. */
function letters(family: string, weights: readonly [number, ...number[]], style = ""): Motif {
  return ({ ink, accent }, random) => {
    const text = (
      x: number,
      y: number,
      size: number,
      words: string,
      color = ink,
      weight = pick(weights, random),
    ) =>
      `<text x="${x}" y="${y}" text-anchor="middle" font-family="${family}" font-size="${size}" font-weight="${weight}"${style} fill="${color}">${words}</text>`;
    const layout = Math.floor(random() * 3);
    if (layout === 0)
      return [
        ...[150, 238, 420].map(
          (y) =>
            `<path d="M56 ${y}H744" stroke="${accent}" stroke-width="2" stroke-dasharray="2 8" stroke-linecap="round"/>`,
        ),
        text(400, 420, 360, pick(PAIRS, random)),
        circle(690, 110, 18 + random() * 20, accent),
      ].join("");
    if (layout === 1)
      return times(18, (i) => {
        const letter = String.fromCharCode(65 + Math.floor(random() * 26));
        return text(
          125 + (i % 6) * 110,
          190 + Math.floor(i / 6) * 150,
          104,
          letter,
          i % 7 === 3 ? accent : ink,
        );
      });
    const words = ["Hamburg", "Quick", "Signal", "Atlas", "Waltz", "Morning"] as const;
    return times(4, (i) =>
      text(400, 165 + i * 118, 132 - i * 22, pick(words, random), i === 1 ? accent : ink),
    );
  };
}

export const sans = letters("Helvetica,Arial,sans-serif", [300, 500, 800]);
export const serif = letters("Georgia,'Times New Roman',serif", [400, 700]);
export const display = letters("Impact,'Arial Black','Helvetica Neue',sans-serif", [900]);
export const mono = letters("ui-monospace,Menlo,Consolas,monospace", [400, 700]);
export const script = letters(
  "'Segoe Script','Bradley Hand','Brush Script MT',cursive",
  [400],
  ' font-style="italic"',
);

/** Connected nodes. */
export const nodes: Motif = ({ ink, accent, from }, random) => {
  const points = Array.from({ length: 7 }, (_, i) => ({
    x: 130 + (i % 4) * 180 + (i > 3 ? 90 : 0),
    y: (i > 3 ? 400 : 190) + (random() - 0.5) * 90,
  }));
  const joined = points.flatMap((a, i) =>
    points
      .slice(i + 1)
      .filter(() => random() < 0.42)
      .map((b) => [a, b] as const),
  );
  return [
    ...joined.map(([a, b]) => {
      const middle = round((a.y + b.y) / 2);
      return line(
        `M${round(a.x)} ${round(a.y)}C${round(a.x)} ${middle} ${round(b.x)} ${middle} ${round(b.x)} ${round(b.y)}`,
        ink,
        4,
        0.45,
      );
    }),
    ...points.map(({ x, y }, i) =>
      i % 3 === 0
        ? rect(x - 40, y - 40, 80, 80, { fill: accent, radius: 22 })
        : circle(x, y, 36, from) + circle(x, y, 13, ink, 0.8),
    ),
  ].join("");
};

/** Blocks that fit together. */
export const blocks: Motif = ({ ink, accent, from }, random) =>
  times(5, (row) => {
    let x = 70 - random() * 60;
    return times(5, (i) => {
      const width = 110 + Math.floor(random() * 3) * 60;
      const fill = pick([ink, from, from, accent], random);
      const made =
        rect(x, 48 + row * 104, width, 90, { fill, radius: 14, opacity: fill === ink ? 0.75 : 0.95 }) +
        circle(x + width / 2, 48 + row * 104, i % 2 === 0 ? 16 : 0, fill, fill === ink ? 0.75 : 0.95);
      x += width + 14;
      return made;
    });
  });

/** A receipt with its totals, and a price tag. */
export const receipt: Motif = ({ ink, accent, from }, random) => {
  const turn = Math.round(random() * 16 - 8);
  return [
    `<g transform="rotate(${turn} 400 300)">`,
    shape("M250 60h300v450l-25-22-25 22-25-22-25 22-25-22-25 22-25-22-25 22-25-22-25 22-25-22-25 22z", from),
    rect(286, 100, 130, 22, { fill: ink, radius: 8, opacity: 0.85 }),
    times(
      5,
      (i) =>
        rect(286, 160 + i * 46, 90 + random() * 60, 12, { fill: ink, radius: 6, opacity: 0.35 }) +
        rect(470, 160 + i * 46, 46, 12, {
          fill: i === 4 ? accent : ink,
          radius: 6,
          opacity: i === 4 ? 1 : 0.55,
        }),
    ),
    "</g>",
    circle(600, 150, 66, accent),
    line("M570 180l60-60", from, 10),
    circle(576, 130, 11, from),
    circle(624, 170, 11, from),
  ].join("");
};

/** Hills, a sun and haze between them. */
export const hills: Motif = ({ ink, accent }, random) =>
  [
    circle(160 + random() * 480, 130 + random() * 90, 50 + random() * 50, accent, 0.95),
    times(4, (i) => {
      const y = 280 + i * 66;
      const [a, b, c] = [0, 1, 2].map(() => round(y + (random() - 0.5) * 190));
      return shape(`M0 ${y}C200 ${a} 300 ${b} 440 ${y}S680 ${c} 800 ${y - 20}V600H0z`, ink, 0.12 + i * 0.1);
    }),
  ].join("");

/** People, each made of a few shapes. */
export const people: Motif = ({ ink, accent, from }, random) =>
  times(3, (i) => {
    const x = 190 + i * 210;
    const y = 190 + random() * 50;
    const body = i === 1 ? accent : pick([ink, from], random);
    return [
      shape(
        `M${x - 92} 600c0-190 40-${round(320 - y / 2)} 92-${round(320 - y / 2)}s92 ${round(130 - y / 4)} 92 ${round(320 - y / 2)}z`,
        body,
        0.95,
      ),
      circle(x, y + 10, 58, i === 1 ? from : accent),
      shape(`M${x - 62} ${round(y)}c0-90 124-90 124 0c-30-34-80-40-124 0z`, ink),
    ].join("");
  });

/** Tiles that repeat without a seam. */
export const pattern: Motif = ({ ink, accent, from }, random) => {
  const kind = Math.floor(random() * 4);
  const size = 100;
  return times(48, (i) => {
    const x = (i % 8) * size;
    const y = Math.floor(i / 8) * size;
    const fill = [ink, accent, from][(i * 7 + Math.floor(i / 8)) % 3] ?? ink;
    if (kind === 0) return circle(x + 50, y + 50, i % 2 === 0 ? 34 : 18, fill, 0.85);
    if (kind === 1) return shape(`M${x} ${y}h100a100 100 0 0 1-100 100z`, fill, 0.8);
    if (kind === 2) return shape(`M${x + 50} ${y + 8}l42 42-42 42-42-42z`, fill, 0.8);
    return line(`M${x} ${y + 50}q25-50 50 0t50 0`, fill, 12, 0.8);
  });
};

/** A sheet of paper, a bottle and a cup, with their shadows. */
export const objects: Motif = ({ ink, accent, from }, random) => {
  const place = Math.floor(random() * 3);
  const at = (i: number) => 190 + ((place + i) % 3) * 210;
  const order = [at(0), at(1), at(2)] as const;
  const [sheet, bottle, cup] = order;
  return [
    rect(0, 430, 800, 170, { fill: ink, opacity: 0.12 }),
    ...order.map((x) => `<ellipse cx="${x}" cy="478" rx="92" ry="16" fill="${ink}" opacity=".25"/>`),
    rect(sheet - 80, 180, 160, 290, { fill: from, radius: 6 }),
    rect(sheet - 56, 210, 112, 90, { fill: accent, radius: 4, opacity: 0.9 }),
    times(3, (i) =>
      rect(sheet - 56, 330 + i * 28, 60 + random() * 50, 10, { fill: ink, radius: 5, opacity: 0.5 }),
    ),
    shape(
      `M${bottle - 22} 150h44v60c50 20 50 60 50 80v160q0 20-20 20h-104q-20 0-20-20v-160c0-20 0-60 50-80z`,
      ink,
      0.85,
    ),
    rect(bottle - 72, 310, 144, 90, { fill: from, opacity: 0.9 }),
    circle(bottle, 355, 22, accent),
    shape(`M${cup - 70} 290h140l-12 160q-2 20-22 20h-72q-20 0-22-20z`, from),
    line(`M${cup + 66} 320c60 0 50 90-8 86`, from, 16),
    rect(cup - 40, 340, 80, 60, { fill: accent, radius: 30 }),
  ].join("");
};
