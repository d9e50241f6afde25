// PNG pictures drawn from the prompt.
import sharp from "sharp";
import type { ProviderOutput } from "../provider.ts";
import { createRandom } from "./art/random.ts";
import { type Draw, frameOf, type Scene, type Sprite } from "./art/stage.ts";
import { path } from "./art/svg.ts";
import { setLine } from "./art/type.ts";
import { drawStill } from "./frames.ts";
import { type Maker, numberParam, styleOf, takeSeed } from "./maker.ts";

/** `count` pictures of one prompt, each another take on it. */
export function createImageMaker(draw: Draw): Maker {
  return async ({ prompt, params, onProgress, checkpoint }) => {
    const width = numberParam(params, "width", 1024, 16, 2048);
    const height = numberParam(params, "height", 1024, 16, 2048);
    const count = numberParam(params, "count", 1, 1, 4);
    const pieces: ProviderOutput[] = [];
    for (let take = 0; take < count; take++) {
      checkpoint();
      const variation = `${takeSeed(params)}/${take}`;
      const scene = draw({ prompt, width, height, variation, style: styleOf(params) });
      const caption = params["caption"] === true ? [captionOf(prompt, scene)] : [];
      const paint = (): Sprite[] => [...scene.paint(), ...caption];
      const drawn = await drawStill({ ...scene, paint }, checkpoint);
      onProgress((take + 0.5) / count);
      checkpoint();
      const data = grained(drawn, scene.grain, `${prompt}/${variation}`);
      const still = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
      const bytes = await still.png({ compressionLevel: 6 }).toBuffer();
      pieces.push({ bytes, mimeType: "image/png", width, height, understood: scene.understood });
      onProgress((take + 1) / count);
    }
    return pieces;
  };
}

/** As of film: the same in all three colours of a pixel. */
function grained(pixels: Uint8Array, strength: number, seed: string): Uint8Array {
  if (strength === 0) return pixels;
  const { next } = createRandom(`${seed}/grain`);
  const out = Uint8ClampedArray.from(pixels);
  for (let at = 0; at < out.length; at += 4) {
    const grain = (next() + next() - 1) * strength;
    for (let channel = 0; channel < 3; channel++) out[at + channel] = (pixels[at + channel] ?? 0) + grain;
  }
  return new Uint8Array(out.buffer);
}

/** The prompt in one small line along the lower edge, as much of it as there is room for. */
function captionOf(prompt: string, scene: Scene): Sprite {
  const { height, unit } = frameOf(scene);
  const text = prompt.length > 60 ? `${prompt.slice(0, 59)}…` : prompt;
  const edge = { stroke: "#00000080", "stroke-width": unit * 3, "paint-order": "stroke" };
  const transform = `translate(${unit * 36} ${height - unit * 36})`;
  return {
    svg: path(setLine(text, "text", unit * 28).path, { fill: "#ffffff", ...edge, transform }),
    depth: 1,
  };
}
