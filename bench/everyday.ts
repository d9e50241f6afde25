// Draws two hundred everyday prompts, counts how many show their subject, and puts them on contact sheets in artifacts/everyday/.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp, { type OverlayOptions } from "sharp";
import { CANVAS, createImageMaker, VECTOR } from "../core/adapters/providers/local/image.ts";
import { showsNoun } from "../test/core/adapters/providers/everyday.ts";

const PROMPTS = new URL("../test/core/adapters/providers/everyday-prompts.json", import.meta.url);
const SHEETS = fileURLToPath(new URL("../artifacts/everyday/", import.meta.url));
const COLUMNS = 10;
const TILE = { width: 240, height: 180 };

export async function run(): Promise<void> {
  const prompts = JSON.parse(readFileSync(PROMPTS, "utf8")) as { prompt: string; noun: string }[];
  mkdirSync(SHEETS, { recursive: true });
  for (const [name, look] of Object.entries({ canvas: CANVAS, vector: VECTOR })) {
    const make = createImageMaker(look);
    const tiles: OverlayOptions[] = [];
    const missed: string[] = [];
    const beganAt = performance.now();
    for (const [i, { prompt, noun }] of prompts.entries()) {
      const params = { width: TILE.width * 2, height: TILE.height * 2, seed: 1 };
      const [piece] = await make({ prompt, params, onProgress: () => {}, checkpoint: () => {} });
      if (!piece?.understood || !showsNoun(piece.understood, noun)) missed.push(prompt);
      const input = await sharp(piece?.bytes).resize(TILE.width, TILE.height).toBuffer();
      tiles.push({ input, left: (i % COLUMNS) * TILE.width, top: Math.floor(i / COLUMNS) * TILE.height });
    }
    const seconds = (performance.now() - beganAt) / 1000;
    const height = Math.ceil(prompts.length / COLUMNS) * TILE.height;
    const sheet = sharp({ create: { width: COLUMNS * TILE.width, height, channels: 3, background: "#fff" } });
    writeFileSync(`${SHEETS}${name}.jpg`, await sheet.composite(tiles).jpeg({ quality: 82 }).toBuffer());
    console.log(
      `${name}: ${prompts.length - missed.length} of ${prompts.length} show their main noun, ${seconds.toFixed(1)} s`,
    );
    for (const prompt of missed) console.log(`  not: ${prompt}`);
  }
  console.log("sheets in artifacts/everyday/");
}
