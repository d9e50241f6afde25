// How large things are beside each other, and where they belong: in the air, on the water, under it, or on the ground.
import { byWord } from "../words/lexicon.ts";
import tables from "./tables.json" with { type: "json" };

export type Zone = "ground" | "fly" | "float" | "swim" | "emblem";
export type SceneKind = {
  readonly zone: Zone;
  /** Height in parts of the picture's shorter side, where nothing makes it larger or smaller. */
  readonly size: number;
  /** Stands still in a clip. */
  readonly rooted: boolean;
  /** Small enough for a table. */
  readonly handy: boolean;
};

const EMBLEM = 0.34;
const ROOTED =
  /tree|flower|rose|tulip|blossom|cactus|mushroom|hibiscus|hyacinth|lotus|herb|house|castle|church|mosque|temple|shrine|building|tower|store|school|hospital|hotel|factory|stadium|pyramid|igloo|barn|hut|tent|bridge|volcano|fuji|mountain|rock|island|statue|fountain|waterfall|web/;
const sizes = byWord(tables.sizes);
const zones = byWord(tables.zones);

export function kindOf(icon: string, category = ""): SceneKind {
  const usual = (tables.sizes_by_category as Partial<Record<string, number>>)[category];
  const size = Number(sizes.get(icon) ?? usual ?? EMBLEM);
  const zone = (zones.get(icon) ?? (size === EMBLEM && usual === undefined ? "emblem" : "ground")) as Zone;
  const lifeless = /^(Food & Drink|Objects|Activities)$/.test(category);
  return { zone, size, rooted: ROOTED.test(icon) || lifeless, handy: lifeless && size < 0.4 };
}
