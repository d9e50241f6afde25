// How large the things of a prompt are, and where they stand: the first one large and in the open, the others around it, none hidden.
import { placeIcon, type Tone } from "../art/icons.ts";
import { mix } from "../art/palette.ts";
import { type Sprite, swing } from "../art/stage.ts";
import { around, ellipse, tag } from "../art/svg.ts";
import type { Land } from "../landscape/land.ts";
import type { Scenery } from "../landscape/light.ts";
import { byWord, loadLexicon } from "../words/lexicon.ts";
import type { Thing } from "../words/read-prompt.ts";
import tables from "./tables.json" with { type: "json" };

type Zone = "ground" | "fly" | "float" | "swim" | "emblem";
type Kind = ReturnType<typeof kindOf>;
export type Subject = Thing & { readonly kind: Kind };

/** What things are placed on. In a landscape they are small, far off, and have the colours that the light leaves of them. */
type Site = Scenery & Land & { readonly silhouette?: Tone | undefined };

type Placed = {
  readonly subject: Subject;
  readonly x: number;
  /** The ground under it. */
  readonly base: number;
  readonly size: number;
  readonly zone: Zone;
  readonly flip: boolean;
  readonly move: NonNullable<Sprite["move"]>;
  /** Drawn after all whose line is higher up: its own base, or just below that of what it sits on. */
  readonly line: number;
};

/** The first thing is at least this high, so that a bee is no dot. */
const MAIN = 0.46;
const LARGEST = 0.72;
const FAR_OFF = 0.42;
const TRIES = 28;
/** What gives light is not darkened by the night. */
const SHINING = /^(fire|fireworks|candle|light-bulb|sparkler|star|glowing-star|diya-lamp|flashlight)$/;
/** One sits in the middle of these, not on their back. */
const HOLLOW = /tree|bed|couch|boat|canoe|auto|basket/;
/** Would be read backwards. */
const WRITTEN = /button|book|scroll|musical|hundred/;
/** How far what is there moves sideways and up, in parts of the stage. */
const SWAYS: Readonly<Record<Zone, readonly [across: number, up: number]>> = {
  fly: [0.03, 0.022],
  swim: [0.04, 0.012],
  float: [0.012, 0.006],
  ground: [0.016, 0.008],
  emblem: [0.01, 0.03],
};

/** Of signs and symbols. */
const EMBLEM = 0.34;
const ROOTED =
  /tree|flower|rose|tulip|blossom|cactus|mushroom|hibiscus|hyacinth|lotus|herb|house|castle|church|mosque|temple|shrine|building|tower|store|school|hospital|hotel|factory|stadium|pyramid|igloo|barn|hut|tent|bridge|volcano|fuji|mountain|rock|island|statue|fountain|waterfall|web/;
const sizes = byWord(tables.sizes);
const zones = byWord(tables.zones);

/**
 * Its size is a height in parts of the picture's shorter side, where nothing makes it larger or smaller. What is rooted stands still in a
 * clip; what is handy is small enough for a table.
 */
function kindOf(icon: string) {
  const category = loadLexicon().categories.get(icon) ?? "";
  const usual = (tables.sizes_by_category as Partial<Record<string, number>>)[category];
  const size = Number(sizes.get(icon) ?? usual ?? EMBLEM);
  const zone = (zones.get(icon) ?? (size === EMBLEM && usual === undefined ? "emblem" : "ground")) as Zone;
  const lifeless = /^(Food & Drink|Objects|Activities)$/.test(category);
  return { zone, size, rooted: ROOTED.test(icon) || lifeless, handy: lifeless && size < 0.4 };
}

/** One name may stand for several pictures: a family is no icon. */
export function subjectsOf(things: readonly Thing[]): Subject[] {
  const firsts = things.map((_, i) => things.slice(0, i).flatMap(({ icon }) => icon.split("+")).length);
  return things.flatMap(({ icon, on, wornBy, ...thing }) =>
    icon.split("+").map((one): Subject => ({
      ...thing,
      icon: one,
      kind: kindOf(one),
      ...(on !== undefined && { on: firsts[on] ?? 0 }),
      ...(wornBy !== undefined && { wornBy: firsts[wornBy] ?? 0 }),
    })),
  );
}

export function layOut(
  stage: Scenery,
  land: Land,
  subjects: readonly Subject[],
  silhouette?: Tone,
): Sprite[] {
  const site: Site = { ...stage, ...land, silhouette, random: stage.random.fork("layout") };
  const scale = Math.max(1, MAIN / (subjects[0]?.kind.size ?? MAIN));
  const placed: Placed[][] = [];
  for (const subject of subjects) placed.push(placeSubject(site, subject, scale, placed.flat()));
  const all = subjects.flatMap((subject, i) => attached(subject, placed[i] ?? [], placed));
  return all.toSorted((a, b) => a.line - b.line).flatMap((one) => drawPlaced(site, one));
}

/** As many as were asked for, each at the best of some places that are tried. The first is the main thing. */
function placeSubject(site: Site, subject: Subject, scale: number, taken: readonly Placed[]): Placed[] {
  const { width, height, random, silhouette, sunX } = site;
  const { count, kind, icon } = subject;
  const zone = zoneOf(site, kind);
  const first = taken.length === 0;
  const main = first && !silhouette;
  // Beside a main thing that is shown from near, small things grow along, and those that are large anyway do not.
  const grown = kind.size * (kind.size < 0.45 ? scale : 1);
  const near = main ? Math.min(LARGEST, Math.max(grown, MAIN)) : Math.min(grown, 0.5);
  const share = silhouette ? kind.size * FAR_OFF : near;
  const wide = width > height * 1.3 ? 1.12 : 1;
  const asked = share * count ** -0.32 * Math.min(width, height) * wide;
  const size = Math.min(asked, LARGEST * height, 0.8 * width);
  const flip = random.next() < 0.5 && !WRITTEN.test(icon);
  // A silhouette stands apart from the sun.
  const aside = silhouette ? Math.sign(width / 2 - sunX) * 0.2 : 0;
  const middle = width * (first ? aside + random.between(0.4, 0.6) : 0.5);
  const found: Placed[] = [];
  for (let i = 0; i < count; i++) {
    const move = moving(site, kind, zone, random.next());
    const tries = Array.from({ length: TRIES }, () => {
      const x = first && count === 1 ? middle : random.between(size * 0.55, width - size * 0.55);
      const base = baseOf(site, kind, zone, size, main);
      const one: Placed = { subject, x, base, size, zone, flip, move, line: base };
      const hidden = [...taken, ...found].reduce((sum, other) => sum + overlap(one, other), 0);
      return { one, cost: hidden * 12 + Math.abs(x - middle) / width };
    });
    found.push(tries.reduce((best, next) => (next.cost < best.cost ? next : best)).one);
  }
  return found;
}

function zoneOf({ place, water }: Site, { zone }: Kind): Zone {
  const weightless = place === "space" || place === "sky";
  if (place === "underwater") return zone === "ground" ? "ground" : "swim";
  if (zone === "swim" || zone === "float") return water ? "float" : weightless ? "fly" : "ground";
  if (zone === "emblem") return place === "studio" ? "emblem" : "ground";
  if (zone === "fly") return place === "room" ? "ground" : "fly";
  return weightless ? "fly" : "ground";
}

/** The line that its lower edge stands on. */
function baseOf(site: Site, kind: Kind, zone: Zone, size: number, main: boolean): number {
  const { height, place, random, far, near, water = { top: far, bottom: near } } = site;
  const deep = water.bottom - water.top;
  if (zone === "emblem") return height / 2 + size / 2 + (main ? 0 : random.between(-0.3, 0.3) * height);
  if (zone === "swim") return water.top + size + random.next() * Math.max(0, deep - size);
  const high = place === "space" ? 0.12 : 0;
  // What is large stands farther away, what is small comes near.
  const distance = Math.min(1, Math.max(0, (kind.size - 0.16) / 0.5));
  const line = {
    fly: height * (high + (main ? random.between(0.4, 0.56) : random.between(0.2, 0.48))),
    float: water.top + deep * (main ? random.between(0.45, 0.8) : random.between(0.2, 0.9)),
    ground: near - (near - far) * distance * 0.85 + random.between(-0.02, 0.015) * height,
  }[zone];
  return Math.min(height * 0.97, Math.max(line, size + height * 0.03));
}

/** The part of the smaller of two that lies on the other. */
function overlap(a: Placed, b: Placed): number {
  const least = Math.min(a.size, b.size);
  const reach = (a.size + b.size) / 2;
  const [wide, tall] = [
    reach - Math.abs(a.x - b.x),
    reach - Math.abs(a.base - a.size / 2 - b.base + b.size / 2),
  ];
  return wide <= 0 || tall <= 0 ? 0 : (Math.min(wide, least) * Math.min(tall, least)) / least ** 2;
}

/** The places of one thing; where it sits on another or is worn by it, there, and moving along. */
function attached({ on, wornBy }: Subject, own: Placed[], placed: readonly Placed[][]): Placed[] {
  const host = placed[wornBy ?? on ?? -1]?.[0];
  if (!host) return own;
  const { subject, move, zone } = host;
  const sat = HOLLOW.test(subject.icon) ? 0.42 : 0.64;
  const [lift, most] = wornBy === undefined ? [sat, subject.kind.size > 0.5 ? 0.5 : 0.8] : [0.66, 0.45];
  return own.map((one, i): Placed => {
    const size = Math.min(one.size, host.size * most);
    const base = Math.max(host.base - host.size * lift, size);
    return { ...one, x: host.x + i * size * 0.6, line: host.line + 1, base, size, move, zone };
  });
}

/** With a shadow on the ground behind it, or before it the water that it lies in. */
function drawPlaced(site: Site, one: Placed): Sprite[] {
  const { light, height } = site;
  const { subject, x, base, size, zone, flip, line, move } = one;
  const afloat = zone === "float" && line === base;
  const drawing = placeIcon(subject.icon, toneOf(site, one), x, base + (afloat ? size * 0.1 : 0), size);
  const svg = flip ? tag("g", { transform: `translate(${2 * x} 0) scale(-1 1)` }, drawing) : drawing;
  const depth = zone === "fly" ? 0.4 : Math.min(0.95, 0.4 + 0.6 * (base / height) ** 2);
  const sprite = { svg, box: around([x, base - size / 2], size * 0.7), depth, move };
  if ((zone !== "ground" && !afloat) || line !== base) return [sprite];
  const shadow = { fill: mix("#1b2333", light.ambient, 0.3), opacity: 0.22 };
  const foil = afloat
    ? ellipse([x, base + size * 0.08], size * 0.56, size * 0.07, light.water)
    : ellipse([x, base - size * 0.035], size * 0.42, size * 0.055, shadow);
  const below: Sprite = { ...sprite, svg: foil, move: (turn) => ({ ...move(turn), dy: 0 }) };
  return afloat ? [sprite, below] : [below, sprite];
}

function toneOf({ light, place, silhouette }: Site, { subject: { icon, color }, zone }: Placed): Tone {
  if (silhouette) return silhouette;
  const dim = light.ambientAmount * (place === "room" || place === "studio" ? 0.6 : 0.9);
  const [ambient, amount] = zone === "swim" ? ["#1f6d9e", dim + 0.08] : [light.ambient, dim];
  return { ambient, amount: SHINING.test(icon) ? 0 : amount, color };
}

/** Birds sail, boats rock, animals hop, cars drive to and fro; houses stay. */
function moving({ width, height }: Scenery, kind: Kind, zone: Zone, phase: number): Placed["move"] {
  const [across, up] = SWAYS[zone];
  if (zone === "ground" && kind.rooted) return () => ({});
  const hop = (turn: number): number => -height * up * (1 + swing(turn, phase, 2));
  return (turn) => ({ dx: width * across * swing(turn, phase), dy: hop(turn) });
}
