// A file over REST and by a tool: uploaded, cleaned, named by a job, read by its provider, and refused in every bad form.
import { once } from "node:events";
import { type ClientRequest, request } from "node:http";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ProviderCall } from "../../core/adapters/providers/provider.ts";
import type { UploadAddressResource, UploadResource } from "../../proto/resources/upload.ts";
import { MAX_VERIFIED_BYTES, SMALL_VERIFIED_BYTES } from "../../proto/resources/verified-file.ts";
import { picture, tellingPhoto } from "../core/studio/uploads/pictures.ts";
import { addTestModel, createCustomer } from "../support/app.ts";
import { type Answer, expectRefusal } from "../support/http-calls.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../support/providers.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

type Uploaded = { ok: true; result: UploadResource };
type Address = { ok: true; result: UploadAddressResource };

let service: WholeService;
/** The provider's last input. */
let given: { url: string; bytes: Uint8Array } | undefined;

beforeAll(async () => {
  const provider = createScriptedProvider({
    answer: async (_request, call: ProviderCall) => {
      const input = call.inputs.get("image");
      given = input && { url: input.url, bytes: await input.read() };
      return [SMALL_OUTPUT];
    },
  });
  service = await startWholeService({
    provider,
    env: { ATELIER_UPLOADS_KEPT: "4" },
  });
  const { app } = service;
  await addTestModel(app, {
    model_slug: "restyle",
    credits: 10,
    params_schema: {
      type: "object",
      properties: { image: { type: "string", format: "atelier-input", "x-accept": "image" } },
      required: ["image"],
      additionalProperties: false,
    },
  });
  await waitFor("the model to be known", async () => (await app.models()).has("restyle"));
});
afterAll(() => service.close());

const RESTYLE = { model_slug: "restyle", prompt: "as ink" };
const upload = (key: string, body: Uint8Array, headers: Record<string, string> = {}) =>
  service.call<Uploaded>("/api/uploads", { key, method: "POST", body, headers });
/** Uses a URL of the service without a key. */
const put = (url: string, body: Uint8Array) =>
  service.call<Uploaded>(new URL(url).pathname + new URL(url).search, { method: "PUT", body });
async function restyled(key: string, image: string) {
  return service.make(key, { ...RESTYLE, params: { image } });
}

describe("an upload over REST", () => {
  test("is stored for any file name, and becomes a job's input", async () => {
    const { key } = await createCustomer(service.app);
    const photo = await tellingPhoto();
    const sent = await upload(key, photo, { "content-type": "application/json" });
    expect(sent.status).toBe(201);
    const { result } = sent.body;
    expect(result).toEqual({
      upload_id: expect.stringMatching(/^upl_/),
      kind: "image",
      mime_type: "image/jpeg",
      bytes: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      width: 20,
      height: 40,
      duration_seconds: null,
      expires_at: expect.any(String),
    });
    expect(sent.headers.get("location")).toMatch(new RegExp(`/api/uploads/${result.upload_id}$`));
    const read = await service.call<Uploaded>(`/api/uploads/${result.upload_id}`, { key });
    expect(read.body.result).toEqual(result);
    const job = await restyled(key, result.upload_id);
    expect(job).toMatchObject({
      state: "completed",
      params: { image: result.upload_id },
      credits_charged: 10,
    });
    expect(given?.bytes.length).toBe(result.bytes);
    // The provider may fetch it by a URL without a key, and the owner may view it.
    const { pathname, search } = new URL(given?.url ?? "");
    for (const [path, init] of [
      [pathname + search, {}],
      [pathname, { key }],
    ] as const) {
      const fetched = await service.call(path, init);
      expect(fetched).toMatchObject({ status: 200 });
      expect(fetched.headers.get("content-type")).toBe("image/jpeg");
      expect(fetched.headers.get("etag")).toBe(`"${result.sha256}"`);
    }
    expectRefusal(
      await service.call(`${pathname}${search.replace("signature=", "signature=A")}`),
      "not_found",
      {
        message: "This address was altered or has expired.",
      },
    );
    const again = await restyled(key, job.outputs[0]?.output_id ?? "");
    expect(again.state).toBe("completed");
  });

  test("from a stalled sender is cut off, and leaves nothing", async () => {
    const { accountId, key } = await createCustomer(service.app);
    const hasty = await service.openEdge({ ATELIER_STALL_MS: "1000" });
    const begun: ClientRequest = request(`${hasty.url}/api/uploads`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-length": "100000" },
    });
    begun.write((await picture()).subarray(0, 50));
    const [error] = (await once(begun, "error").catch((thrown: unknown) => [thrown])) as [
      NodeJS.ErrnoException,
    ];
    expect(error.code).toBe("ECONNRESET");
    await waitFor("nothing to be left", async () => {
      const { db } = service.app.mongo;
      return (await db.collection("uploads").countDocuments({ account_id: accountId })) === 0;
    });
    expect(service.errors).toEqual([]);
  });
});

test("a sender who holds the memory for large files to verify and slows down is cut off; one of an upload goes on", async () => {
  const { key } = await createCustomer(service.app);
  const hasty = await service.openEdge({ ATELIER_STALL_MS: "1000" });
  /** Sends `first` immediately, and then byte by byte. */
  const begin = (path: string, first: Uint8Array) => {
    const headers = { authorization: `Bearer ${key}`, "content-length": String(MAX_VERIFIED_BYTES) };
    const begun = request(hasty.url + path, { method: "POST", headers });
    begun.write(first);
    const timer = setInterval(() => begun.write("a"), 100);
    onTestFinished(() => {
      clearInterval(timer);
      begun.destroy();
    });
    return new Promise<string | undefined>((resolve) => {
      begun.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
      begun.once("response", ({ statusCode }) => resolve(String(statusCode)));
    });
  };
  const first = new Uint8Array(SMALL_VERIFIED_BYTES + 1);
  const upload = begin("/api/uploads", (await picture()).subarray(0, 50));
  const verified = begin("/api/outputs/verify", first);
  expect(await Promise.race([verified, upload.then(() => "the upload ended")])).toMatch(/ECONNRESET|EPIPE/);
  expect(service.errors).toEqual([]);
});

describe("an upload URL", () => {
  const create = async (key: string, bytes: number) => {
    const answer = await service.call<Address>("/api/uploads/direct", {
      key,
      method: "POST",
      body: { bytes },
    });
    expect(answer.status).toBe(201);
    return answer.body.result;
  };

  test("accepts one file once, up to its declared size", async () => {
    const { key } = await createCustomer(service.app);
    const png = await picture();
    const { url, upload_id, finish_url } = await create(key, png.length);
    expect(finish_url).toBe(null);
    expectRefusal(await service.call(`/api/uploads/${upload_id}`, { key }), "upload_not_found");
    const spent = (answer: Answer<unknown>) =>
      expect(answer).toMatchObject({ status: 404, body: { code: "upload_not_found" } });
    spent(await put(url.replace("expires=", "expires=9"), png));
    expect(await put(url, png)).toMatchObject({ status: 201, body: { result: { upload_id, width: 32 } } });
    spent(await put(url, png));
    expect((await restyled(key, upload_id)).state).toBe("completed");

    const small = await create(key, png.length - 1);
    expect(await put(small.url, png)).toMatchObject({ status: 413, body: { code: "upload_too_large" } });
    // Used up by that, too.
    spent(await put(small.url, png.subarray(1)));
    expectRefusal(
      await service.call(`/api/uploads/${upload_id}/finish`, { key, method: "POST" }),
      "upload_not_found",
      {
        message: "This address was altered, was used before, or has expired.",
        hint: "Ask for a new one; each takes one file, within fifteen minutes.",
      },
    );
  });

  test("[INP-05] is returned by the tool create_upload, and connect_generate uses the file sent there", async () => {
    const { key } = await createCustomer(service.app);
    const { structuredContent, content } = await service.tool(key, "create_upload", {});
    const { upload_id, url } = structuredContent as unknown as UploadAddressResource;
    expect(content[0]?.text).toContain(`curl -T FILE '${url}'`);
    expect((await put(url, await picture())).status).toBe(201);
    const made = await service.tool(key, "connect_generate", {
      ...RESTYLE,
      modality: "image",
      params: { image: upload_id },
      wait_seconds: 20,
    });
    expect(made.structuredContent).toMatchObject({ state: "completed" });
    const refused = await service.tool(key, "connect_generate", {
      ...RESTYLE,
      modality: "image",
      params: { image: `upl_${"0".repeat(26)}` },
    });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.content[0]?.text).toContain("upload_not_found");
  });
});
