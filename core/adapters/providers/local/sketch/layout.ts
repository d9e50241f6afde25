// How large the things of a prompt are, and where they stand: the first ones large and in the middle, the others at both sides of them.
import { placeIcon, type Tone } from "../art/icons.ts";
import { mix } from "../art/palette.ts";
import { type Sprite, swing } from "../art/stage.ts";
import { tag } from "../art/svg.ts";
import type { Land } from "../landscape/land.ts";
import type { Scenery } from "../landscape/light.ts";
import { byWord, loadLexicon } from "../words/lexicon.ts";
import type { Thing } from "../words/read-prompt.ts";
import tables from "./tables.json" with { type: "json" };

type Zone = "ground" | "fly" | "float";
type Kind = ReturnType<typeof kindOf>;
export type Subject = Thing & { readonly kind: Kind };

/** What things are placed on. In a landscape they are small, far off, and have the colours that the light leaves of them. */
type Site = Scenery & Land & { readonly silhouette?: Tone | undefined };

type Sized = ReturnType<typeof sizedOf>;

type Placed = Sized & {
  readonly x: number;
  /** The ground under it. */
  readonly base: number;
  readonly move: NonNullable<Sprite["move"]>;
  /** Drawn after all whose line is higher up: its own base, or just below that of what it sits on. */
  readonly line: number;
};

/** The first thing is at least this high, so that a bee is no dot. */
const MAIN = 0.46;
const LARGEST = 0.72;
const FAR_OFF = 0.42;
/** What gives light is not darkened by the night. */
const SHINING = /^(fire|fireworks|candle|light-bulb|sparkler|star|glowing-star|diya-lamp|flashlight)$/;
/** One sits in the middle of these, not on their back. */
const HOLLOW = /tree|bed|couch|boat|canoe|auto|basket/;
/** Would be read backwards. */
const WRITTEN = /button|book|scroll|musical|hundred/;
/** Stands still in a clip. */
const ROOTED =
  /tree|flower|rose|tulip|blossom|cactus|mushroom|hibiscus|hyacinth|lotus|herb|house|castle|church|mosque|temple|shrine|building|tower|store|school|hospital|hotel|factory|stadium|pyramid|igloo|barn|hut|tent|bridge|volcano|fuji|mountain|rock|island|statue|fountain|waterfall|web/;
const sizes = byWord(tables.sizes);
const zones = byWord(tables.zones);

/** Its size is a height in parts of the picture's shorter side. What is handy is small enough for a table. */
function kindOf(icon: string) {
  const category = loadLexicon().categories.get(icon) ?? "";
  const usual = (tables.sizes_by_category as Partial<Record<string, number>>)[category];
  // Signs and symbols have no size of their own, and are handy as well.
  const size = Number(sizes.get(icon) ?? usual ?? 0.34);
  const zone = (zones.get(icon) ?? "ground") as Zone;
  const lifeless = /^(Food & Drink|Objects|Activities)$/.test(category);
  return { zone, size, rooted: ROOTED.test(icon) || lifeless, handy: (lifeless || !usual) && size < 0.4 };
}

/** One name may stand for several pictures: a family is no icon. */
export function subjectsOf(things: readonly Thing[]): Subject[] {
  return things.flatMap((thing) =>
    thing.icon.split("+").map((icon): Subject => ({ ...thing, icon, kind: kindOf(icon) })),
  );
}

export function layOut(
  stage: Scenery,
  land: Land,
  subjects: readonly Subject[],
  silhouette?: Tone,
): Sprite[] {
  const site: Site = { ...stage, ...land, silhouette, random: stage.random.fork("layout") };
  const { width, height, random, sunX } = site;
  const row: Sized[] = [];
  for (const subject of subjects) {
    const one = sizedOf(site, subject, subjects[0] ?? subject);
    // From the middle outwards, by turns to both sides.
    for (let i = 0; i < subject.count; i++) row[row.length % 2 === 0 ? "push" : "unshift"](one);
  }
  const total = row.reduce((sum, { room }) => sum + room, 0);
  // Where there is little room they stand closer, and are smaller.
  const fit = Math.min(1, width / total);
  const squeeze = fit * 0.9;
  // A silhouette stands apart from the sun.
  const aside = silhouette ? Math.sign(width / 2 - sunX) * 0.2 : 0;
  const left = width * (0.5 + aside + random.between(-0.05, 0.05)) - (total * squeeze) / 2;
  let x = Math.max(width * 0.03, Math.min(width * 0.97 - total * squeeze, left));
  const placed = row.map((one): Placed => {
    x += one.room * squeeze;
    const size = one.size * fit ** 0.75;
    const base = baseOf(site, { ...one, size });
    const [sway, phase] = [one.zone === "ground" && one.subject.kind.rooted ? 0 : 0.012, random.next()];
    const move = (turn: number) => ({
      dx: width * sway * swing(turn, phase),
      dy: -height * sway * (1 + swing(turn, phase, 2)),
    });
    return { ...one, size, x: x - (one.room * squeeze) / 2, base, move, line: base };
  });
  const all = placed.map((one) => attached(one, placed)).toSorted((a, b) => a.line - b.line);
  return all.flatMap((one) => drawPlaced(site, one));
}

/** The first is the main thing, which is shown from near. */
function sizedOf(site: Site, subject: Subject, first: Subject) {
  const { width, height, random, silhouette } = site;
  const { count, kind, icon, on, wornBy } = subject;
  const main = subject === first && !silhouette;
  // Beside it small things grow along, and those that are large anyway do not.
  const grown = kind.size * (kind.size < 0.45 ? Math.max(1, MAIN / first.kind.size) : 1);
  const near = main ? Math.min(LARGEST, Math.max(grown, MAIN)) : Math.min(grown, 0.5);
  const size = (silhouette ? kind.size * FAR_OFF : near) * count ** -0.32 * Math.min(width, height);
  const flip = random.next() < 0.5 && !WRITTEN.test(icon);
  // What sits on another takes no room beside it, and the main thing has most.
  const room = (on ?? wornBy) ? 0 : main ? size : size * 0.7;
  return { subject, size, room, zone: zoneOf(site, kind), main, flip };
}

function zoneOf({ place, water }: Site, { zone }: Kind): Zone {
  const weightless = place === "space" || place === "sky";
  if (zone === "float") return water ? "float" : weightless ? "fly" : "ground";
  if (zone === "fly") return place === "room" ? "ground" : "fly";
  return weightless ? "fly" : "ground";
}

/** The line that its lower edge stands on. */
function baseOf(site: Site, { subject: { kind }, zone, size, main }: Sized): number {
  const { height, place, random, far, near, water = { top: far, bottom: near } } = site;
  const deep = water.bottom - water.top;
  const high = place === "space" ? 0.12 : 0;
  // What is large stands farther away, what is small comes near.
  const distance = Math.min(1, Math.max(0, (kind.size - 0.16) / 0.5));
  const line = {
    fly: height * (high + (main ? random.between(0.5, 0.6) : random.between(0.2, 0.48))),
    float: water.top + deep * (main ? random.between(0.7, 0.95) : random.between(0.2, 0.9)),
    ground: near - (near - far) * distance * 0.85 + random.between(-0.02, 0.015) * height,
  }[zone];
  return Math.min(height * 0.97, Math.max(line, size + height * 0.03));
}

/** Where it sits on another or is worn by it, there, and moving along. */
function attached(one: Placed, placed: readonly Placed[]): Placed {
  const { on, wornBy } = one.subject;
  const name = (wornBy ?? on)?.split("+")[0];
  const host = placed.find(({ subject }) => subject.icon === name && subject !== one.subject);
  if (!host) return one;
  const { subject, move, zone } = host;
  const sat = HOLLOW.test(subject.icon) ? 0.42 : 0.64;
  const [lift, most] = wornBy === undefined ? [sat, subject.kind.size > 0.5 ? 0.5 : 0.8] : [0.66, 0.45];
  const size = Math.min(one.size, host.size * most);
  const base = Math.max(host.base - host.size * lift, size);
  const i = placed.filter((other) => other.subject === one.subject).indexOf(one);
  return { ...one, x: host.x + i * size * 0.6, line: host.line + 1, base, size, move, zone };
}

/** With a shadow on the ground behind it. */
function drawPlaced(site: Site, one: Placed): Sprite[] {
  const { light, height } = site;
  const { subject, x, base, size, zone, flip, line, move } = one;
  const drawing = placeIcon(subject.icon, toneOf(site, one), x, base, size);
  const svg = flip ? tag("g", { transform: `translate(${2 * x} 0) scale(-1 1)` }, drawing) : drawing;
  const depth = zone === "fly" ? 0.4 : Math.min(0.95, 0.4 + 0.6 * (base / height) ** 2);
  const box = { x: x - size * 0.7, y: base - size * 1.2, width: size * 1.4, height: size * 1.4 };
  const sprite = { svg, box, depth, move };
  if (zone !== "ground" || line !== base) return [sprite];
  const look = { fill: mix("#1b2333", light.ambient, 0.3), opacity: 0.22 };
  const oval = { cx: x, cy: base - size * 0.035, rx: size * 0.42, ry: size * 0.055 };
  const below = tag("ellipse", { ...oval, ...look });
  return [{ ...sprite, svg: below, move: (turn) => ({ ...move(turn), dy: 0 }) }, sprite];
}

function toneOf({ light, place, silhouette }: Site, { subject: { icon, color } }: Placed): Tone {
  if (silhouette) return silhouette;
  const dim = light.ambientAmount * (place === "room" ? 0.6 : 0.9);
  return { ambient: light.ambient, amount: SHINING.test(icon) ? 0 : dim, color };
}
