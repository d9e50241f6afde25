// Draws the cover of a product that has no picture of its own: an SVG made from its slug, so that it is the same everywhere and no file
// need be kept. Self-contained: no script, no font file, no other address.
import { mulberry32 } from "./mulberry32.ts";

export type Cover = {
  readonly slug: string;
  readonly name: string;
  readonly category: string | null;
};

type Palette = { readonly from: string; readonly to: string; readonly ink: string; readonly accent: string };
type Draw = (palette: Palette, random: () => number, name: string) => string;

const WIDTH = 800;
const HEIGHT = 600;
/** A longer name is set smaller until this; the rest is cut. */
const MAX_NAME = 36;
const FONT = "ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif";

const PALETTES: readonly Palette[] = [
  { from: "#f6e7d8", to: "#f2c6a0", ink: "#3b2417", accent: "#c8553d" },
  { from: "#dff0ea", to: "#9fd0bf", ink: "#123c35", accent: "#ef7b45" },
  { from: "#e4e6fb", to: "#aab1ee", ink: "#1c1f4a", accent: "#f2b134" },
  { from: "#1d2433", to: "#38476b", ink: "#f3f5fb", accent: "#7fd1ae" },
  { from: "#fbe4ea", to: "#f0a6ba", ink: "#4a1426", accent: "#33658a" },
  { from: "#f4f1de", to: "#e0d5a3", ink: "#3d405b", accent: "#e07a5f" },
  { from: "#10302b", to: "#1f5c4f", ink: "#e9f5f1", accent: "#f4d35e" },
  { from: "#e8f1fa", to: "#a9cdee", ink: "#12324f", accent: "#d1495b" },
  { from: "#2b1b3d", to: "#5a3a78", ink: "#f7effc", accent: "#ffb56b" },
];

/** 800 by 600; the name is part of the picture's own title too. */
export function drawCover({ slug, name, category }: Cover): string {
  const random = mulberry32(hashText(slug));
  const palette = PALETTES[Math.floor(random() * PALETTES.length)] ?? (PALETTES[0] as Palette);
  const draw = MOTIFS[category ?? ""] ?? waves;
  const title = escapeXml(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1).toWellFormed()}…` : name);
  const size = name.length > 22 ? 38 : 50;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="t">`,
    `<title id="t">${escapeXml(name)}</title>`,
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${palette.from}"/>`,
    `<stop offset="1" stop-color="${palette.to}"/></linearGradient></defs>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#g)"/>`,
    draw(palette, random, name),
    `<text x="56" y="544" font-family="${FONT}" font-size="${size}" font-weight="650" fill="${palette.ink}">${title}</text>`,
    "</svg>",
  ].join("");
}

/** A page of a browser with a picture, a heading and columns. */
const windowMotif: Draw = ({ ink, accent, from }, random) => {
  const isSplit = random() < 0.5;
  const columns = 2 + Math.floor(random() * 3);
  const width = (560 - (columns - 1) * 20) / columns;
  return [
    rect(96, 72, 608, 392, { fill: from, radius: 18, stroke: ink }),
    ...[0, 1, 2].map((i) => circle(126 + i * 24, 98, 6, i === 0 ? accent : ink, i === 0 ? 1 : 0.3)),
    isSplit
      ? rect(120, 126, 270, 150, { fill: accent, radius: 10, opacity: 0.85 })
      : rect(120, 126, 560, 110, { fill: accent, radius: 10, opacity: 0.85 }),
    ...(isSplit
      ? [0, 1, 2, 3].map((i) =>
          rect(416, 136 + i * 34, 120 + random() * 130, i === 0 ? 20 : 10, {
            fill: ink,
            radius: 5,
            opacity: 0.65,
          }),
        )
      : [rect(200, 256, 400, 14, { fill: ink, radius: 7, opacity: 0.65 })]),
    ...Array.from({ length: columns }, (_, i) =>
      rect(120 + i * (width + 20), 300, width, 60 + random() * 80, {
        fill: ink,
        radius: 10,
        opacity: 0.14 + 0.08 * i,
      }),
    ),
  ].join("");
};

/** Cards with controls on them. */
const cardsMotif: Draw = ({ ink, accent, from }, random) =>
  Array.from({ length: 6 }, (_, i) => {
    const x = 84 + (i % 3) * 220;
    const y = 76 + Math.floor(i / 3) * 200;
    const control = [
      () => rect(x + 24, y + 96, 90, 36, { fill: accent, radius: 18 }),
      () =>
        rect(x + 24, y + 96, 64, 34, { fill: ink, radius: 17, opacity: 0.25 }) +
        circle(x + 71, y + 113, 13, accent, 1),
      () =>
        [0, 1, 2]
          .map((bar) =>
            rect(x + 24 + bar * 30, y + 80 + (1 - random()) * 30, 20, 56, {
              fill: accent,
              radius: 4,
              opacity: 0.5 + bar * 0.2,
            }),
          )
          .join(""),
      () =>
        rect(x + 24, y + 108, 142, 8, { fill: ink, radius: 4, opacity: 0.2 }) +
        rect(x + 24, y + 108, 30 + random() * 90, 8, { fill: accent, radius: 4 }),
    ];
    return [
      rect(x, y, 190, 170, { fill: from, radius: 16, stroke: ink }),
      rect(x + 24, y + 28, 70 + random() * 60, 12, { fill: ink, radius: 6, opacity: 0.7 }),
      rect(x + 24, y + 52, 110 + random() * 30, 8, { fill: ink, radius: 4, opacity: 0.25 }),
      control[Math.floor(random() * control.length)]?.() ?? "",
    ].join("");
  }).join("");

/** A grid of small signs. */
const signsMotif: Draw = ({ ink, accent }, random) =>
  Array.from({ length: 15 }, (_, i) => {
    const x = 140 + (i % 5) * 130;
    const y = 130 + Math.floor(i / 5) * 125;
    const color = random() < 0.3 ? accent : ink;
    const line = `fill="none" stroke="${color}" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"`;
    const signs = [
      `<circle cx="${x}" cy="${y}" r="30" ${line}/><path d="M${x} ${y - 14}v16l12 8" ${line}/>`,
      `<path d="M${x - 30} ${y}l22 22 40-44" ${line}/>`,
      `<path d="M${x} ${y + 28}c-60-36-22-72 0-44 22-28 60 8 0 44z" ${line}/>`,
      `<rect x="${x - 30}" y="${y - 24}" width="60" height="48" rx="8" ${line}/><path d="M${x - 30} ${y - 14}l30 24 30-24" ${line}/>`,
      `<path d="M${x - 32} ${y + 4}l32-30 32 30v26h-64z" ${line}/>`,
      `<circle cx="${x - 6}" cy="${y - 6}" r="22" ${line}/><path d="M${x + 12} ${y + 12}l18 18" ${line}/>`,
      `<path d="M${x} ${y - 32}l10 20 22 3-16 16 4 23-20-11-20 11 4-23-16-16 22-3z" ${line}/>`,
      `<path d="M${x - 28} ${y - 18}h56M${x - 28} ${y}h56M${x - 28} ${y + 18}h34" ${line}/>`,
    ];
    return signs[Math.floor(random() * signs.length)] ?? "";
  }).join("");

const SANS = "Helvetica,Arial,sans-serif";
const FAMILIES: readonly [words: RegExp, family: string][] = [
  [/\b(Mono|Code|Terminal)\b/, "ui-monospace,Menlo,Consolas,monospace"],
  [/\b(Serif|Antiqua|Text)\b/, "Georgia,'Times New Roman',serif"],
  [/\b(Script|Hand|Brush)\b/, "'Segoe Script','Bradley Hand',cursive"],
];

/** Two large letters with their lines. */
const lettersMotif: Draw = ({ ink, accent }, random, name) => {
  const chosen = FAMILIES.find(([words]) => words.test(name))?.[1] ?? SANS;
  const pair = ["Aa", "Gg", "Rk", "Qy", "&amp;", "Be"];
  const text = pair[Math.floor(random() * pair.length)];
  const weight = random() < 0.5 ? 300 : 800;
  return [
    ...[150, 238, 396].map(
      (y) =>
        `<path d="M56 ${y}H744" stroke="${accent}" stroke-width="2" stroke-dasharray="2 8" stroke-linecap="round"/>`,
    ),
    `<text x="400" y="396" text-anchor="middle" font-family="${chosen}" font-size="330" font-weight="${weight}" fill="${ink}">${text}</text>`,
    circle(700, 110, 18 + random() * 20, accent, 0.9),
  ].join("");
};

/** Things that are joined. */
const nodesMotif: Draw = ({ ink, accent, from }, random) => {
  const points = Array.from({ length: 7 }, (_, i) => ({
    x: 130 + (i % 4) * 180 + (i > 3 ? 90 : 0),
    y: (i > 3 ? 340 : 160) + (random() - 0.5) * 70,
  }));
  const joined = points.flatMap((a, i) =>
    points
      .slice(i + 1)
      .filter(() => random() < 0.42)
      .map((b) => [a, b] as const),
  );
  return [
    ...joined.map(
      ([a, b]) =>
        `<path d="M${round(a.x)} ${round(a.y)}C${round(a.x)} ${round((a.y + b.y) / 2)} ${round(b.x)} ${round((a.y + b.y) / 2)} ${round(b.x)} ${round(b.y)}" fill="none" stroke="${ink}" stroke-width="4" opacity=".45"/>`,
    ),
    ...points.map(({ x, y }, i) =>
      i % 3 === 0
        ? rect(x - 38, y - 38, 76, 76, { fill: accent, radius: 20 })
        : circle(x, y, 34, from, 1, ink) + circle(x, y, 12, ink, 0.8),
    ),
  ].join("");
};

/** Hills, a sun and the air between. */
const waves: Draw = ({ ink, accent }, random) =>
  [
    circle(520 + random() * 140, 150 + random() * 50, 60 + random() * 30, accent, 0.95),
    ...Array.from({ length: 4 }, (_, i) => {
      const y = 260 + i * 54;
      const [a, b, c] = [0, 1, 2].map(() => round(y + (random() - 0.5) * 130));
      return `<path d="M0 ${y}C200 ${a} 300 ${b} 440 ${y}S680 ${c} 800 ${y - 20}V600H0z" fill="${ink}" opacity="${round(0.06 + i * 0.03)}"/>`;
    }),
  ].join("");

const MOTIFS: Readonly<Record<string, Draw>> = {
  templates: windowMotif,
  "component-kits": cardsMotif,
  icons: signsMotif,
  fonts: lettersMotif,
  plugins: nodesMotif,
  illustrations: waves,
};

type Box = { fill: string; radius: number; opacity?: number; stroke?: string };

function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  { fill, radius, opacity, stroke }: Box,
): string {
  const more = [
    opacity === undefined ? "" : ` opacity="${round(opacity)}"`,
    stroke === undefined ? "" : ` stroke="${stroke}" stroke-opacity=".25" stroke-width="2"`,
  ];
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}" fill="${fill}"${more.join("")}/>`;
}

function circle(x: number, y: number, r: number, fill: string, opacity: number, stroke?: string): string {
  const line = stroke === undefined ? "" : ` stroke="${stroke}" stroke-opacity=".4" stroke-width="3"`;
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${fill}" opacity="${round(opacity)}"${line}/>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Characters that XML does not allow at all are left out. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** FNV-1a over UTF-16 units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
