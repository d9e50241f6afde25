// Files that are sent directly to the object store: signed before, checked afterwards.
import { expect, test } from "vitest";
import { openObjectStore } from "../../../../core/base/objects/object-store.ts";
import { removeExpiredOutputs } from "../../../../core/kernel/outputs/expire.ts";
import { createUploadAddress, finishUpload } from "../../../../core/studio/uploads/address.ts";
import { createUploadReceiver } from "../../../../core/studio/uploads/receive.ts";
import { createCustomer, createTestApp } from "../../../support/app.ts";
import { startS3Server } from "../../../support/s3-server.ts";
import { picture, tellingPhoto } from "./pictures.ts";

test("[INP-04] a file that is sent to the object store is kept in its cleaned form; the original, invalid files and unused URLs are removed", async () => {
  const s3 = await startS3Server();
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const { app: plain, close } = await createTestApp({ env: s3.env, clock });
  const app = { ...plain, objects: openObjectStore(plain.config) };
  const intake = createUploadReceiver(app);
  const { accountId } = await createCustomer(app);
  const { signal } = new AbortController();
  const send = async (body: Buffer, bytes = body.length) => {
    const address = await createUploadAddress(app, accountId, { bytes, direct: true });
    const { status } = await fetch(address.url, { method: address.method, body: Buffer.from(body) });
    return { uploadId: address.upload_id, status, address };
  };
  const finish = (uploadId: string) => finishUpload(app, intake, { accountId, uploadId }, signal);
  const kept = () => [...s3.objects.keys()].filter((key) => key.includes("/uploads/"));

  const photo = await tellingPhoto();
  const sent = await send(photo);
  expect(sent).toMatchObject({ status: 200, address: { finish_url: expect.stringMatching(/\/finish$/) } });
  expect(kept()).toEqual([`${accountId}/uploads/${sent.uploadId}_raw`]);
  expect(await finish(sent.uploadId)).toMatchObject({ state: "ready", facts: { width: 20, height: 40 } });
  expect(kept()).toEqual([`${accountId}/uploads/${sent.uploadId}`]);
  expect(s3.objects.get(kept()[0] ?? "")?.bytes.includes("Ada")).toBe(false);
  await expect(finish(sent.uploadId)).rejects.toMatchObject({ code: "upload_not_found" });

  // The signature covers the exact size.
  expect((await send(photo, photo.length - 1)).status).toBe(403);
  const other = await createCustomer(app);
  const script = await send(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"));
  const foreign = { accountId: other.accountId, uploadId: script.uploadId };
  await expect(finishUpload(app, intake, foreign, signal)).rejects.toMatchObject({
    code: "upload_not_found",
  });
  await expect(finish(script.uploadId)).rejects.toMatchObject({ code: "unsupported_input" });
  const nothing = await createUploadAddress(app, accountId, { bytes: 100, direct: true });
  await expect(finish(nothing.upload_id)).rejects.toMatchObject({
    code: "upload_not_found",
    message: "No file was sent to the address of this upload.",
  });
  expect(kept()).toHaveLength(1);

  // A file that the object store does not remove now, like one of an upload that was not finished, is found by the sweep.
  s3.trouble = (method) => (method === "DELETE" ? 403 : undefined);
  expect(await finish((await send(await picture())).uploadId)).toMatchObject({ state: "ready" });
  s3.trouble = () => undefined;
  await send(await picture());
  expect(kept()).toHaveLength(4);
  aheadMs = 2 * 60 * 60 * 1000;
  await removeExpiredOutputs(app);
  expect(kept()).toHaveLength(2);
  await intake.close();
  await app.objects?.close();
  await close();
});
