// Draws pictures for a product that has none. The SVGs are made from the product's slug, so they are the same everywhere and no file is
// kept. They contain everything they need: no script, no font file, no other address.
import * as screens from "./cover-screens.ts";
import { circle, line, type Motif, type Palette, rect, shape, times } from "./cover-shapes.ts";
import * as things from "./cover-things.ts";
import { mulberry32 } from "./mulberry32.ts";

export type Cover = {
  readonly slug: string;
  readonly name: string;
  readonly category: string | null;
  readonly subcategory: string | null;
};

const WIDTH = 800;
const HEIGHT = 600;
/** The views of a product: the cover, a second cover of the same kind in other colours, and a close-up. */
export const COVER_VIEWS = 3;

const PALETTES: readonly [Palette, ...Palette[]] = [
  { from: "#f6e7d8", to: "#f2c6a0", ink: "#3b2417", accent: "#c8553d" },
  { from: "#dff0ea", to: "#9fd0bf", ink: "#123c35", accent: "#ef7b45" },
  { from: "#e4e6fb", to: "#aab1ee", ink: "#1c1f4a", accent: "#f2b134" },
  { from: "#f3f5fb", to: "#8ea2d6", ink: "#1d2433", accent: "#7fd1ae" },
  { from: "#fbe4ea", to: "#f0a6ba", ink: "#4a1426", accent: "#33658a" },
  { from: "#f4f1de", to: "#e0d5a3", ink: "#3d405b", accent: "#e07a5f" },
  { from: "#e9f5f1", to: "#5fae9b", ink: "#10302b", accent: "#f4d35e" },
  { from: "#e8f1fa", to: "#a9cdee", ink: "#12324f", accent: "#d1495b" },
  { from: "#f7effc", to: "#b393d6", ink: "#2b1b3d", accent: "#ffb56b" },
  { from: "#fff3c9", to: "#ffc83d", ink: "#3a2c00", accent: "#e4572e" },
  { from: "#fdece4", to: "#e4572e", ink: "#47130a", accent: "#17bebb" },
  { from: "#eef3e2", to: "#8fae5d", ink: "#26330f", accent: "#d9594c" },
  { from: "#e6fbff", to: "#3aa6b9", ink: "#062f38", accent: "#ff9f68" },
  { from: "#f2f0ee", to: "#c9c2b8", ink: "#1f1c18", accent: "#a83f1b" },
];

const MOTIFS: Readonly<Record<string, Motif>> = {
  templates: screens.landingPage,
  dashboards: screens.dashboard,
  portfolios: screens.portfolio,
  "online-shops": screens.storefront,
  documentation: screens.handbook,
  "component-kits": screens.components,
  "vue-components": screens.formFields,
  "figma-kits": screens.designCanvas,
  "mobile-kits": screens.phones,
  icons: things.lineSigns,
  "solid-icons": things.solidSigns,
  "animated-icons": things.movingSigns,
  "3d-icons": things.solids,
  fonts: things.sans,
  serif: things.serif,
  display: things.display,
  monospace: things.mono,
  handwritten: things.script,
  plugins: things.nodes,
  "wordpress-plugins": things.blocks,
  "editor-extensions": screens.code,
  "shop-extensions": things.receipt,
  illustrations: things.hills,
  scenes: things.people,
  patterns: things.pattern,
  mockups: things.objects,
};

/** The background behind the motif. */
const GROUNDS: readonly [Motif, ...Motif[]] = [
  ({ from, to }) =>
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>${rect(0, 0, WIDTH, HEIGHT, { fill: "url(#g)" })}`,
  ({ to }) => rect(0, 0, WIDTH, HEIGHT, { fill: to }),
  ({ from, to }) => rect(0, 0, WIDTH, HEIGHT, { fill: from }) + shape(`M0 600L800 180V600z`, to),
  ({ from, to }) => rect(0, 0, WIDTH, HEIGHT, { fill: to }) + circle(400, 300, 280, from, 0.55),
  ({ from, to }) =>
    rect(0, 0, WIDTH, HEIGHT, { fill: to }) + times(9, (i) => line(`M${i * 100} 0V600`, from, 2, 0.5)),
];

/** Returns a picture of 800 by 600 with the product's name as its title. `view` counts from 1. */
export function drawCover({ slug, name, category, subcategory }: Cover, view = 1): string {
  const seed = hashText(slug);
  const dice = mulberry32(seed);
  const isOther = view === 2;
  dice();
  const palette = chosen(PALETTES, dice(), isOther ? 5 : 0);
  const ground = chosen(GROUNDS, dice(), isOther ? 2 : 0);
  const random = mulberry32(seed + (isOther ? 1 : 0));
  const motif = MOTIFS[subcategory ?? ""] ?? MOTIFS[category ?? ""] ?? things.hills;
  const drawn = motif(palette, random);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="t">`,
    `<title id="t">${escapeXml(name)}</title>`,
    ground(palette, random),
    view === 3 ? `<g transform="translate(-260 -60) rotate(-8 400 300) scale(1.7)">${drawn}</g>` : drawn,
    "</svg>",
  ].join("");
}

function chosen<T>(list: readonly [T, ...T[]], value: number, further: number): T {
  return list[(Math.floor(value * list.length) + further) % list.length] ?? list[0];
}

/** Removes characters that XML does not allow at all. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** The FNV-1a hash over UTF-16 code units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
