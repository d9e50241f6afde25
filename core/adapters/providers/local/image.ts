// PNG pictures composed from the prompt.
import sharp from "sharp";
import { paint } from "./finish.ts";
import { type Maker, numberParam, type Piece, takeSeed } from "./maker.ts";
import { createCaption } from "./scene/caption.ts";
import { createScene, drawStill } from "./scene/scene.ts";

/** `colours`: so many at most, each plain, in place of what flows into each other. */
type Look = { readonly painted: boolean; readonly colours?: number };

export const CANVAS: Look = { painted: true };
export const VECTOR: Look = { painted: false, colours: 96 };

/** `count` pictures of one prompt, each another take on it. */
export function createImageMaker({ painted, colours }: Look): Maker {
  return async ({ prompt, params, onProgress, checkpoint }) => {
    const width = numberParam(params, "width", 1024, 16, 2048);
    const height = numberParam(params, "height", 1024, 16, 2048);
    const count = numberParam(params, "count", 1, 1, 4);
    const pieces: Piece[] = [];
    for (let take = 0; take < count; take++) {
      checkpoint();
      const variation = `${takeSeed(params)}/${take}`;
      const scene = createScene({ prompt, width, height, variation });
      const drawn = await sharp(Buffer.from(drawStill(scene)))
        .removeAlpha()
        .raw()
        .toBuffer();
      onProgress((take + 0.5) / count);
      checkpoint();
      const plain = { data: drawn, width, height };
      const finished = painted ? paint(plain, `${prompt}/${variation}`) : plain;
      const overlay =
        params["caption"] === true ? [{ input: Buffer.from(createCaption(prompt, width, height)) }] : [];
      const bytes = await sharp(finished.data, { raw: { width, height, channels: 3 } })
        .composite(overlay)
        .removeAlpha()
        .png({ compressionLevel: 6, ...(colours && { palette: true, colours, dither: 0, effort: 4 }) })
        .toBuffer();
      pieces.push({ bytes, mimeType: "image/png", width, height, understood: scene.understood });
      onProgress((take + 1) / count);
    }
    return pieces;
  };
}
