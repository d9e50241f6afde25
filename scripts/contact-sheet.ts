// Draws one built-in model's pictures of forty everyday prompts (sheet-prompts.json) on one sheet: artifacts/sheets/MODEL.png. Arguments:
// provider model, such as poster; optionally numbers of prompts, for larger pictures.
import { mkdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { createLocalProvider } from "../core/adapters/providers/local/provider.ts";
import { createLog } from "../runtime/log/log.ts";
import { ROOMY } from "../test/support/providers.ts";

const [model = "", ...chosen] = process.argv.slice(2);
const prompts: string[] = JSON.parse(readFileSync(new URL("sheet-prompts.json", import.meta.url), "utf8"));
const numbers = chosen.length > 0 ? chosen.map(Number) : prompts.map((_, i) => i);
const [side, columns] = chosen.length > 0 ? [720, Math.min(3, chosen.length)] : [300, 8];
const provider = createLocalProvider(createLog("error", "contact-sheet"));
const tiles: Buffer[] = [];
for (const number of numbers) {
  const prompt = prompts[number] ?? "";
  const outputs = await provider
    .start(
      { modality: "image", model, prompt, params: { width: 1024, height: 1024, seed: 1 }, options: {} },
      {
        ...ROOMY,
        signal: AbortSignal.timeout(60_000),
        idempotencyKey: "",
        onProgress: () => {},
      },
    )
    .catch((error: Error) => error.message);
  const [output] = Array.isArray(outputs) ? outputs : [];
  const picture = output
    ? sharp(output.bytes).resize(side, side)
    : sharp({ create: { width: side, height: side, channels: 3, background: "#ddd" } });
  tiles.push(await picture.png().toBuffer());
  const { drawn = [], not_drawn = [] } = output?.understood ?? {};
  console.log(
    `${number}: ${prompt}\n   + ${drawn.join(", ")}\n   - ${not_drawn.join(", ")}${typeof outputs === "string" ? outputs : ""}`,
  );
}
mkdirSync("artifacts/sheets", { recursive: true });
const gap = 8;
await sharp({
  create: {
    width: columns * (side + gap),
    height: Math.ceil(tiles.length / columns) * (side + gap),
    channels: 3,
    background: "#ffffff",
  },
})
  .composite(
    tiles.map((input, i) => ({
      input,
      left: (i % columns) * (side + gap),
      top: Math.floor(i / columns) * (side + gap),
    })),
  )
  .png()
  .toFile(`artifacts/sheets/${model}.png`);
await provider.close?.();
