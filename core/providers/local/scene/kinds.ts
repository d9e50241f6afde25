// How large things are beside each other, and where they belong: in the air, on the water, under it, or on the ground.
export type Zone = "ground" | "fly" | "float" | "swim" | "emblem";
export type Kind = {
  readonly zone: Zone;
  /** Height in parts of the picture's shorter side, where nothing makes it larger or smaller. */
  readonly size: number;
  /** Stands still in a clip. */
  readonly rooted: boolean;
  /** Small enough for a table. */
  readonly handy: boolean;
};

const SIZES: readonly (readonly [size: number, icons: string])[] = [
  [
    0.66,
    "castle japanese-castle office-building tokyo-tower statue-of-liberty ferris-wheel roller-coaster lighthouse windmill church mosque hindu-temple synagogue stadium factory pyramid volcano mount-fuji snow-capped-mountain cityscape waterfall rainbow tornado cyclone",
  ],
  [
    0.52,
    "house house-with-garden houses derelict-house barn hospital school hotel bank classical-building department-store convenience-store circus-tent treehouse deciduous-tree evergreen-tree palm-tree christmas-tree mammoth sauropod t-rex ship passenger-ship sailing-ship bridge igloo island hot-air-balloon dragon fireworks fountain shinto-shrine",
  ],
  [
    0.44,
    "elephant giraffe whale spouting-whale orca locomotive bus fire-engine delivery-truck articulated-lorry minibus train tram-car airplane rocket sailboat submarine hut tent tractor helicopter unicorn flying-saucer ferry piano knight bed couch-and-lamp",
  ],
  [
    0.36,
    "horse cow ox bison camel two-hump-camel bear polar-bear lion tiger gorilla rhinoceros hippopotamus moose deer donkey llama zebra automobile racing-car oncoming-taxi sport-utility-vehicle motorcycle canoe speedboat snowman shark dolphin crocodile kangaroo fire cactus sunflower robot ghost alien pirate-flag alien-monster",
  ],
  [0.22, "child boy girl baby old-man old-woman older-person prince princess"],
  [0.26, "treasure-chest snowman-without-snow santa-claus mrs-claus troll ogre goblin"],
  [
    0.17,
    "bird blackbird baby-chick mouse rat hamster chipmunk frog snail crab fish tropical-fish butterfly spider turtle lizard mushroom rose tulip blossom hibiscus hyacinth cherry-blossom herb fallen-leaf coin key egg chestnut candle strawberry cherries bat dove",
  ],
  [0.12, "honeybee ant lady-beetle fly mosquito beetle worm bug cricket"],
];
const BY_CATEGORY: Record<string, number> = {
  "Animals & Nature": 0.28,
  "Food & Drink": 0.22,
  "Travel & Places": 0.4,
  Objects: 0.24,
  Activities: 0.26,
  "People & Body": 0.46,
};
const EMBLEM = 0.34;

const ZONES: readonly (readonly [zone: Zone, icons: string])[] = [
  [
    "fly",
    "bird blackbird dove eagle butterfly honeybee bat dragon fly mosquito airplane small-airplane helicopter hot-air-balloon balloon kite flying-saucer parachute comet shooting-star satellite cloud fireworks phoenix-bird ringed-planet rainbow rocket witch lady-beetle flamingo-flying wing globe-showing-europe-africa",
  ],
  [
    "float",
    "sailboat sailing-ship ship passenger-ship ferry speedboat canoe motor-boat duck swan seal island ring-buoy person-surfing person-swimming person-rowing-boat whale spouting-whale lotus water-wave",
  ],
  [
    "swim",
    "fish tropical-fish shark octopus dolphin orca jellyfish squid blowfish submarine coral lobster shrimp",
  ],
];
const ROOTED =
  /(tree|flower|rose|tulip|blossom|cactus|mushroom|hibiscus|hyacinth|lotus|herb|house|castle|church|mosque|temple|shrine|building|tower|store|school|hospital|hotel|factory|stadium|lighthouse|pyramid|igloo|barn|hut|tent|bridge|volcano|fuji|mountain|rock|island|statue|fountain|waterfall|web)/;

const sizes = new Map(
  SIZES.flatMap(([size, icons]) => icons.split(" ").map((icon) => [icon, size] as const)),
);
const zones = new Map(
  ZONES.flatMap(([zone, icons]) => icons.split(" ").map((icon) => [icon, zone] as const)),
);

export function kindOf(icon: string, category: string | undefined): Kind {
  const usual = BY_CATEGORY[category ?? ""];
  const size = sizes.get(icon) ?? usual ?? EMBLEM;
  const zone = zones.get(icon) ?? (size === EMBLEM && usual === undefined ? "emblem" : "ground");
  const lifeless = /^(Food & Drink|Objects|Activities)$/.test(category ?? "");
  return { zone, size, rooted: ROOTED.test(icon) || lifeless, handy: lifeless && size < 0.4 };
}
