// Where the things of a prompt stand: the first one large and in the open, the others around it, none hidden behind another.
import type { Thing } from "../words/read-prompt.ts";
import { mix } from "./color.ts";
import { type Ground, place } from "./ground.ts";
import { drawIcon } from "./icons.ts";
import type { Kind, Zone } from "./kinds.ts";
import type { Random } from "./random.ts";
import { type Box, type Shift, type Sprite, type Stage, swing } from "./stage.ts";
import { ellipse, n, path } from "./svg.ts";

export type Subject = Thing & { readonly kind: Kind };

/** `base` is the ground under it. */
type Placed = {
  readonly subject: Subject;
  readonly x: number;
  readonly base: number;
  readonly size: number;
  readonly zone: Zone;
  readonly flip: boolean;
  /** Drawn after all whose line is higher up: its own base, or that of what it sits on. */
  readonly line: number;
};

/** The first thing is at least this high, so that a bee is no dot. */
const MAIN = 0.46;
const LARGEST = 0.72;
const TRIES = 28;
/** What gives light is not darkened by the night. */
const SHINING = /^(fire|fireworks|candle|light-bulb|sparkler|star|glowing-star|diya-lamp|flashlight)$/;

export function layOut(stage: Stage, ground: Ground, subjects: readonly Subject[]): Sprite[] {
  const scale = Math.max(1, MAIN / Math.max(0.01, subjects[0]?.kind.size ?? MAIN));
  const placed: Placed[][] = [];
  const random = stage.random.fork("layout");
  for (const [i, subject] of subjects.entries())
    placed.push(placeSubject(stage, ground, subject, i, scale, placed.flat(), random));
  const all = subjects.flatMap((subject, i) => attached(subject, i, placed));
  return all
    .toSorted((a, b) => a.line - b.line)
    .flatMap((one) => drawPlaced(stage, one, random.fork(`${one.subject.icon}${one.x}`)));
}

function placeSubject(
  stage: Stage,
  ground: Ground,
  subject: Subject,
  order: number,
  scale: number,
  taken: readonly Placed[],
  random: Random,
): Placed[] {
  const { width, height } = stage;
  const zone = zoneOf(stage, ground, subject.kind);
  const { count } = subject;
  const crowd = count === 1 ? 1 : count === 2 ? 0.86 : count <= 4 ? 0.7 : count <= 7 ? 0.56 : 0.46;
  // Beside a main thing that is shown from near, small things grow along, and those that are large anyway do not.
  const grown = subject.kind.size * (subject.kind.size < 0.45 ? scale : 1);
  const share =
    Math.min(LARGEST, order === 0 ? Math.max(grown, subject.kind.handy ? 0.5 : MAIN) : Math.min(grown, 0.5)) *
    crowd;
  const size = Math.min(
    share * Math.min(width, height) * (width > height * 1.3 ? 1.12 : 1),
    height * 0.72,
    width * 0.8,
  );
  const flip = random.chance(0.5);
  const found: Placed[] = [];
  const middle = width * (order === 0 ? random.between(0.4, 0.6) : 0.5);
  for (let i = 0; i < count; i++) {
    let best: { one: Placed; cost: number } | undefined;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const own = size * (count > 1 ? random.between(0.88, 1.06) : 1);
      const x =
        i === 0 && order === 0 && count === 1 ? middle : random.between(own * 0.55, width - own * 0.55);
      const base = baseOf(stage, ground, subject.kind, zone, own, order, random);
      const one: Placed = { subject, x, base, size: own, zone, flip, line: base };
      const hidden = [...taken, ...found].reduce((sum, other) => sum + overlap(boxOf(one), boxOf(other)), 0);
      const cost =
        hidden * 12 + Math.abs(x - middle) / width + (order > 0 && count === 1 ? 0.1 : 0) * random.next();
      if (!best || cost < best.cost) best = { one, cost };
    }
    if (best) found.push(best.one);
  }
  return found;
}

function zoneOf(stage: Stage, { water }: Ground, { zone }: Kind): Zone {
  const airless = stage.place === "underwater";
  if (airless) return zone === "ground" ? "ground" : "swim";
  if (zone === "swim" || zone === "float")
    return water ? "float" : stage.place === "space" || stage.place === "sky" ? "fly" : "ground";
  if (zone === "emblem") return stage.place === "studio" ? "emblem" : "ground";
  return zone === "ground" && (stage.place === "space" || stage.place === "sky")
    ? "fly"
    : zone === "fly" && stage.place === "room"
      ? "ground"
      : zone;
}

/** The line that its lower edge stands on. */
function baseOf(
  stage: Stage,
  { far, near, water }: Ground,
  kind: Kind,
  zone: Zone,
  size: number,
  order: number,
  random: Random,
): number {
  const { height } = stage;
  if (zone === "emblem") return height / 2 + size / 2 + (order > 0 ? random.between(-0.3, 0.3) * height : 0);
  if (zone === "fly")
    return Math.max(
      size + height * 0.03,
      height * (order === 0 ? random.between(0.4, 0.56) : random.between(0.2, 0.48)) +
        (stage.place === "space" ? height * 0.12 : 0),
    );
  if (zone === "swim" && water)
    return water.top + size + random.next() * Math.max(0, water.bottom - water.top - size);
  if (zone === "float" && water)
    return Math.max(
      water.top +
        (water.bottom - water.top) * (order === 0 ? random.between(0.45, 0.8) : random.between(0.2, 0.9)),
      size * 0.9,
    );
  // What is large stands farther away, what is small comes near.
  const distance = Math.min(1, Math.max(0, (kind.size - 0.16) / 0.5));
  const line = near - (near - far) * distance * 0.85 + random.between(-0.02, 0.015) * height;
  return Math.min(height * 0.97, Math.max(line, size + height * 0.03));
}

function boxOf({ x, base, size }: Placed): Box {
  return { x: x - size / 2, y: base - size, width: size, height: size };
}

/** The part of the smaller of two that lies on the other. */
function overlap(a: Box, b: Box): number {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const tall = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return wide <= 0 || tall <= 0 ? 0 : (wide * tall) / Math.min(a.width * a.height, b.width * b.height);
}

/** The places of one thing, moved where it sits on another or is worn by it. */
function attached(
  subject: Subject,
  index: number,
  placed: readonly (readonly Placed[])[],
): readonly Placed[] {
  const own = placed[index] ?? [];
  const host = placed[subject.on ?? -1]?.[0];
  const wearer = placed[subject.wornBy ?? -1]?.[0];
  if (wearer)
    return own.map((one) => ({
      ...one,
      x: wearer.x,
      line: wearer.line + 1,
      base: wearer.base - wearer.size * 0.66,
      size: wearer.size * 0.45,
      zone: wearer.zone,
      subject: { ...subject, kind: wearer.subject.kind },
    }));
  if (!host) return own;
  // In a tree one sits in the middle, on a horse or a rock on its back.
  const lift = host.size * (/tree|bed|couch|boat|canoe|auto|basket/.test(host.subject.icon) ? 0.42 : 0.64);
  return own
    .map((one, i): Placed => {
      const size = Math.min(one.size, host.size * (host.subject.kind.size > 0.5 ? 0.5 : 0.8));
      return {
        ...one,
        x: host.x + i * size * 0.6,
        line: host.line + 1,
        base: host.base - lift,
        size,
        zone: host.zone === "fly" ? "fly" : "emblem",
      };
    })
    .map((one) => ({ ...one, base: Math.max(one.base, one.size) }));
}

function drawPlaced(stage: Stage, one: Placed, random: Random): Sprite[] {
  const { palette, height, place: here } = stage;
  const { subject, x, base, size, zone, flip } = one;
  const sunken = zone === "float" ? 0.1 : 0;
  const haze = zone === "swim" ? 0.08 : 0;
  const tone = {
    ambient: haze > 0 ? "#1f6d9e" : palette.ambient,
    amount: SHINING.test(subject.icon)
      ? 0
      : palette.ambientAmount * (here === "room" || here === "studio" ? 0.6 : 0.9) + haze,
    color: subject.color,
  };
  const box = boxOf({ ...one, base: base + size * sunken });
  const drawing = place(drawIcon(subject.icon, tone), box.x, box.y, size);
  const svg =
    flip && !/button|book|scroll|musical|hundred/.test(subject.icon)
      ? `<g transform="translate(${n(2 * x)} 0) scale(-1 1)">${drawing}</g>`
      : drawing;
  const depth = zone === "fly" ? 0.4 : Math.min(0.95, 0.4 + 0.6 * (base / height) ** 2);
  const move = moving(stage, one, random.next());
  const sprites: Sprite[] = [{ svg, box: { ...box, y: box.y - 2, height: size + 4 }, depth, move }];
  if (zone === "ground") {
    const wide = size * 0.42;
    const shadow = ellipse(
      x,
      base - size * 0.035,
      wide,
      size * 0.055,
      mix("#1b2333", palette.ambient, 0.3),
      'fill-opacity="0.22"',
    );
    sprites.unshift({
      svg: shadow,
      box: { x: x - wide, y: base - size * 0.1, width: wide * 2, height: size * 0.13 },
      depth,
      move: (turn) => ({ dx: move(turn).dx, dy: 0 }),
    });
  }
  if (zone === "float") {
    const wave = palette.water[0];
    const top = base + size * 0.01;
    const curl = Array.from(
      { length: 4 },
      (_, i) =>
        `${i === 0 ? "q" : "t"}${n(size * 0.1)} ${i === 0 ? n(-size * 0.05) : 0}${i === 0 ? ` ${n(size * 0.3)} 0` : ""}`,
    );
    const water = path(
      `M${n(x - size * 0.6)} ${n(top)}${curl[0] ?? ""}t${n(size * 0.3)} 0t${n(size * 0.3)} 0t${n(size * 0.3)} 0V${n(top + size * 0.1)}q${n(-size * 0.6)} ${n(size * 0.05)} ${n(-size * 1.2)} 0Z`,
      mix(wave, palette.water[1], 0.45),
    );
    sprites.push({
      svg: water,
      box: { x: x - size * 0.62, y: top - size * 0.06, width: size * 1.24, height: size * 0.24 },
      depth,
      move: (turn) => ({ dx: move(turn).dx * 0.7, dy: 0 }),
    });
  }
  return sprites;
}

/** Birds sail, boats rock, animals hop, cars drive to and fro; houses stay. */
function moving(
  { width, height }: Stage,
  { subject: { kind }, size, zone }: Placed,
  phase: number,
): (turn: number) => Shift {
  if (zone === "fly")
    return (turn) => ({ dx: width * 0.03 * swing(turn, phase), dy: height * 0.022 * swing(turn, phase, 2) });
  if (zone === "swim")
    return (turn) => ({ dx: width * 0.04 * swing(turn, phase), dy: height * 0.012 * swing(turn, phase, 2) });
  if (zone === "float")
    return (turn) => ({ dx: width * 0.012 * swing(turn, phase), dy: size * 0.022 * swing(turn, phase, 2) });
  if (zone === "emblem" || kind.rooted)
    return (turn) => ({ dx: 0, dy: kind.size > 0.5 || kind.handy ? 0 : size * 0.025 * swing(turn, phase) });
  return (turn) => ({
    dx: width * 0.016 * swing(turn, phase),
    dy: -size * 0.05 * Math.abs(swing(turn, phase, 2)),
  });
}
