// A file from its upload through a job of the embedded provider to the input of the next one.
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { createLocalProvider } from "../../core/adapters/providers/local/provider.ts";
import { seedModels } from "../../core/studio/models/seed.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createCustomer } from "../support/app.ts";
import type { HttpCalls } from "../support/http-calls.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";

let photo: Buffer;

const local = sharedByTests(async () => createLocalProvider(createLog("error", "test")));
const service = sharedByTests(() => startWholeService({ providers: [local] }));
beforeAll(async () => {
  await seedModels(service.app);
  photo = await sharp({ create: { width: 200, height: 120, channels: 3, background: "#cc5533" } })
    .png()
    .toBuffer();
});

const make: HttpCalls["make"] = (...how) => service.make(...how);

test("[OUT-09] an uploaded picture becomes another picture, and that one a clip, each with thumbnails", async () => {
  const { key } = await createCustomer(service.app);
  const sent = await fetch(`${service.url}/api/uploads`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: new Uint8Array(photo),
  });
  expect(sent.status).toBe(201);
  const { result } = (await sent.json()) as { result: { upload_id: string } };
  const line = await make(key, {
    model_slug: "atelier-restyle",
    prompt: "in ink",
    params: { image: result.upload_id, style: "line" },
  });
  expect(line).toMatchObject({
    state: "completed",
    outputs: [{ width: 200, height: 120, thumbnails: [{ width: 200, height: 120 }] }],
  });
  const clip = await make(key, {
    modality: "video",
    model_slug: "atelier-drift",
    prompt: "zoom in",
    params: { image: line.outputs[0]?.output_id, width: 128, height: 72, duration_seconds: 1, fps: 6 },
  });
  expect(clip).toMatchObject({
    state: "completed",
    outputs: [{ mime_type: "video/mp4", width: 128, thumbnails: [{ width: 128, height: 72 }] }],
  });
});
