// The limits of public file verification. The verdicts are in test/core/kernel/content-credentials/.
import { beforeAll, describe, expect, test } from "vitest";
import { CredentialsUnavailable } from "../../../../core/kernel/content-credentials/threads.ts";
import { createVerifying, type SentFile, verifyFile } from "../../../../core/studio/jobs/verify-file.ts";
import { MAX_VERIFIED_BYTES } from "../../../../proto/resources/verified-file.ts";
import { useTestApp } from "../../../support/app.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { picture } from "../uploads/pictures.ts";

const MIB = 2 ** 20;

let png: Buffer;
const testApp = useTestApp();
beforeAll(async () => {
  png = await picture();
});

const { signal } = new AbortController();

/** A sender that waits before the last chunk. */
function held(address: string): { file: SentFile; finish: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  async function* pieces() {
    yield png.subarray(0, 20);
    await promise;
    yield png.subarray(20);
  }
  return { file: { pieces: pieces(), address, signal }, finish: resolve };
}

async function* repeated(piece: Uint8Array, times: number): AsyncGenerator<Uint8Array> {
  yield png;
  for (let n = 0; n < times; n++) yield piece;
}

describe("files to verify", () => {
  test("files to verify without an end are refused at the limit, and read no further", async () => {
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += MIB;
        yield Buffer.alloc(MIB);
      }
    }
    const verifying = createVerifying(testApp.app);
    const refusal = verifyFile(testApp.app, verifying, { pieces: endless(), address: "a", signal });
    await expect(refusal).rejects.toMatchObject({
      code: "upload_too_large",
      message: "A file that is verified may have at most 128 MiB.",
      hint: expect.stringContaining("GET /api/outputs/verify?sha256=") as string,
    });
    expect(sent).toBe(MAX_VERIFIED_BYTES + MIB);
    expect(verifying.memory.taken()).toBe(0);
  });

  test("files to verify of one address are received two at a time", async () => {
    const app = { ...testApp.app, config: { ...testApp.app.config, rateLimits: true } };
    const verifying = createVerifying(app);
    const open = [held("a"), held("a"), held("b")];
    const answers = open.map(({ file }) => verifyFile(app, verifying, file));
    await expect(verifyFile(app, verifying, held("a").file)).rejects.toMatchObject({
      code: "rate_limited",
      message: "There are already 2 files of this address being verified, which is the most there may be.",
    });
    for (const { finish } of open) finish();
    expect(await Promise.all(answers)).toMatchObject([
      { state: "none" },
      { state: "none" },
      { state: "none" },
    ]);
    const after = held("a");
    after.finish();
    expect(await verifyFile(app, verifying, after.file)).toMatchObject({ state: "none" });
  });

  test("files to verify that are large wait for each other, so that memory is bounded; small ones pass", async () => {
    const verifying = createVerifying(testApp.app);
    const leave = await verifying.memory.take(MAX_VERIFIED_BYTES, signal);
    const large = verifyFile(testApp.app, verifying, {
      pieces: repeated(new Uint8Array(MIB), 6),
      address: "a",
      signal,
    });
    const small = held("a");
    small.finish();
    expect(await verifyFile(testApp.app, verifying, small.file)).toMatchObject({ state: "none" });
    const soon = await Promise.race([large.then(() => "answered"), Promise.resolve("waits")]);
    expect(soon).toBe("waits");
    leave();
    expect(await large).toMatchObject({ state: "none", bytes: png.length + 6 * MIB });
    await waitFor("the room to be given back", async () => verifying.memory.taken() === 0);
  });

  test("get service_unavailable while the library cannot be used", async () => {
    const { app } = testApp;
    const engine = {
      ...app.credentials.engine,
      read: () => Promise.reject(new CredentialsUnavailable("16 files already wait for a thread.")),
    };
    const busy = { ...app, credentials: { ...app.credentials, engine } };
    const sent = held("a");
    sent.finish();
    await expect(verifyFile(busy, createVerifying(busy), sent.file)).rejects.toMatchObject({
      code: "service_unavailable",
      retryAfterSeconds: 5,
    });
  });
});
