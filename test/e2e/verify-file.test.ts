// POST /api/outputs/verify and the form of /verify over a whole service, with genuine and hostile files.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { debitHashOf } from "../../core/identity/credits/read.ts";
import type { VerifiedFile } from "../../proto/resources/verified-file.ts";
import { pngBomb } from "../core/studio/uploads/pictures.ts";
import { webm } from "../core/studio/uploads/recordings.ts";
import { createCustomer } from "../support/app.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { flipped, ORIGIN, signFile, wholeFiles, withRemoteManifest } from "../support/signed-files.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

const PATH = "/api/outputs/verify";
const OCTETS = { "content-type": "application/octet-stream" };

let service: WholeService;
let plain: Buffer;
let signed: Buffer;
/** As the job's owner downloads it. */
let made: Buffer;
/** A job of this service. */
let origin: typeof ORIGIN;

beforeAll(async () => {
  plain = fileOf(await wholeFiles(), "image/png");
  const answer = () => [{ bytes: plain, mimeType: "image/png", width: 32, height: 16 }];
  service = await startWholeService({
    provider: createScriptedProvider({ answer }),
    env: { ATELIER_CONTENT_CREDENTIALS: "on" },
  });
  const { key, accountId } = await createCustomer(service.app);
  const job = await service.make(key, { prompt: "a secret wish" });
  const hash = await debitHashOf(service.app, accountId, job.job_id);
  const { url } = job.outputs[0] ?? {};
  made = Buffer.from(await (await fetch(String(url))).arrayBuffer());
  origin = {
    job_id: job.job_id,
    model_slug: job.model_slug,
    output_index: 0,
    ledger_entry_id: `led_${job.job_id.slice(4)}_debit`,
    ledger_entry_hash: hash ?? "",
  };
  signed = await sign(origin);
});
afterAll(() => service.close());

function fileOf(files: ReadonlyMap<string, Buffer>, mimeType: string): Buffer {
  const bytes = files.get(mimeType);
  if (!bytes) throw new Error(`there is no file of ${mimeType}`);
  return bytes;
}

async function sign(statement: object): Promise<Buffer> {
  const { credentials, clock } = service.app;
  const signer = await credentials.signer(clock.now());
  return signFile(credentials.engine, { signer }, { bytes: plain, mimeType: "image/png", origin: statement });
}

const send = (body: Uint8Array | string, headers: Record<string, string | null> = OCTETS, on = service) =>
  on.call<{ ok: boolean; result: VerifiedFile; code: string; message: string; hint: string }>(PATH, {
    method: "POST",
    body,
    headers,
  });

const verified = async (body: Uint8Array): Promise<VerifiedFile> => {
  const { status, body: answer, text } = await send(body);
  expect(status, text).toBe(200);
  return answer.result;
};

describe("verifying a file", () => {
  test("[MARK-04] shows its signer, its job, and that the ledger has the same entry", async () => {
    const { status, headers, body, text } = await send(signed);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(body).toMatchObject({
      ok: true,
      result: {
        state: "valid",
        mime_type: "image/png",
        bytes: signed.length,
        origin,
        ledger_agrees: true,
        issuer: { is_this_service: true, is_self_made: true },
        record: { made: false },
      },
    });
    expect(text).not.toMatch(/acc_|a secret wish/);
  });

  test("uses its content, not its media type", async () => {
    for (const type of ["image/png", "text/html", "application/json", "application/x-www-form-urlencoded"])
      expect((await send(signed, { "content-type": type })).body.result, type).toMatchObject({
        state: "valid",
      });
    expect((await send(plain, { "content-type": "video/mp4" })).body.result).toMatchObject({
      state: "none",
      mime_type: "image/png",
      issuer: null,
    });
  });

  test("reports a mismatch with the ledger for another hash or a missing entry", async () => {
    const other = await sign({ ...origin, ledger_entry_hash: "0".repeat(64) });
    expect(await verified(other)).toMatchObject({ state: "valid", ledger_agrees: false });
    expect(await verified(await sign(ORIGIN))).toMatchObject({ state: "valid", ledger_agrees: null });
    expect(await verified(flipped(signed))).toMatchObject({
      state: "invalid",
      ledger_agrees: true,
      bytes_match: false,
    });
  });

  test("finds it among the files made here, with or without credentials", async () => {
    expect(await verified(made)).toMatchObject({
      state: "valid",
      origin,
      ledger_agrees: true,
      record: { made: true, model_slug: "picture", ledger_entry_hash: origin.ledger_entry_hash },
    });
    expect(await verified(webm())).toMatchObject({
      state: "none",
      mime_type: "video/webm",
      record: { made: false },
    });
  });

  test("fetches nothing, whatever manifest URL it names", async () => {
    const asked: string[] = [];
    const server: Server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const bytes = withRemoteManifest(plain, `http://127.0.0.1:${port}/manifest.c2pa`);
    expect(await verified(bytes)).toMatchObject({ state: "none", problems: [] });
    server.close();
    expect(asked).toEqual([]);
  });
});

describe("verifying a hostile file", () => {
  test("refuses it with a plain message, or reports no credentials", async () => {
    expect(await send("")).toMatchObject({
      status: 422,
      body: { code: "unsupported_input", message: "The file is empty." },
    });
    for (const bytes of ["hello", "<svg onload=alert(1)>", "%PDF-1.7", "PK\u0003\u0004".repeat(9)]) {
      const { status, body } = await send(bytes);
      expect(status).toBe(422);
      expect(body).toMatchObject({ ok: false, code: "unsupported_input" });
      expect(body.message).toBe("The file is of no kind that can be verified.");
    }
    expect(await verified(pngBomb(30_000))).toMatchObject({ state: "none" });
    expect(await verified(signed.subarray(0, 900))).toMatchObject({ state: "invalid" });
  });

  test("is rate limited for each address, separately from other requests", async () => {
    const limited = await service.openEdge({ ATELIER_RATE_LIMITS: "on" });
    for (let n = 0; n < 30; n++) await limited.call(PATH, { method: "POST", body: "x", headers: OCTETS });
    const { status, headers } = await limited.call(PATH, { method: "POST", body: "x", headers: OCTETS });
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await limited.call(`${PATH}?sha256=${"0".repeat(64)}`)).status).toBe(200);
  });
});

describe("the form of the verify page", () => {
  const submit = (file: Blob | undefined, field = "file") => {
    const form = new FormData();
    if (file) form.set(field, file, "picture.png");
    return fetch(`${service.url}/verify`, { method: "POST", body: form });
  };

  test("keeps its place when a file is missing, refused, or sent in another way", async () => {
    const refused = await submit(new Blob(["hello"]));
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("of no kind that can be verified");
    for (const answer of [
      await submit(undefined),
      await submit(new Blob([new Uint8Array(signed)]), "other"),
      await fetch(`${service.url}/verify`, { method: "POST", body: new URLSearchParams({ file: "a" }) }),
    ]) {
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain("No file was chosen");
    }
  });
});
