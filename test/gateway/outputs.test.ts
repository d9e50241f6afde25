import { connect } from "node:net";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { parseByteRange } from "../../gateway/http/byte-range.ts";
import { AppError } from "../../proto/codes.ts";
import type { ReadOutputChunk } from "../../proto/types/atelier/v1/ReadOutputChunk.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { serveGateway } from "./serve-gateway.ts";

const PATH = "/api/jobs/job_1/outputs/out_1";
const FILE = Buffer.from("0123456789");
const SHA256 = "ab12".repeat(16);

let file: { bytes: Buffer; mimeType: string; prompt: string };
const gateway = sharedByTests(() => serveGateway());
beforeEach(() => {
  file = { bytes: FILE, mimeType: "image/png", prompt: "A lighthouse, at dawn!" };
  gateway.calls.length = 0;
  gateway.answer("jobs.ReadOutput", async function* ({ offset = 0, length = 0, head_only = false }) {
    const from = Number(offset);
    const part = file.bytes.subarray(from, Number(length) === 0 ? undefined : from + Number(length));
    yield headMessage(from, part.length);
    if (head_only) return;
    for (let i = 0; i < part.length; i += 3) yield { head: null, data: part.subarray(i, i + 3) };
  });
});

function ranged(ifRange: string): Promise<Response> {
  return gateway.call(PATH, { headers: { range: "bytes=2-4", "if-range": ifRange } });
}

function headMessage(offset: number, length: number): ReadOutputChunk {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const { mimeType: mime_type, prompt } = file;
  const bytes = file.bytes.length;
  return {
    head: { mime_type, bytes, sha256: SHA256, offset, length, expires_at, prompt, ordinal: 2 },
    data: Buffer.alloc(0),
  };
}

describe("an output file", () => {
  test("[LIM-23] is read as fast as its reader takes it, and cut off for a stalled one", async () => {
    const impatient = await serveGateway({ ATELIER_STALL_MS: "300" });
    const piece = Buffer.alloc(32 * 1024);
    let [sent, ended] = [0, false];
    file = { bytes: Buffer.alloc(100_000_000), mimeType: "video/mp4", prompt: "long" };
    impatient.answer("jobs.ReadOutput", async function* ({ head_only = false }) {
      yield headMessage(0, file.bytes.length);
      if (head_only) return;
      try {
        for (; sent < file.bytes.length; sent += piece.length) yield { head: null, data: piece };
      } finally {
        ended = true;
      }
    });
    const socket = connect(Number(new URL(impatient.url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${impatient.key}\r\n\r\n`);
    socket.pause();
    await waitFor("the end of the reading", () => ended);
    // What fits into the buffers of two sockets, and no more.
    expect(sent).toBeLessThan(50_000_000);
    socket.destroy();
    await impatient.close();
  });

  test("[LIM-22] above the limit of parallel reads is refused, without a file's headers", async () => {
    gateway.answer("jobs.ReadOutput", async function* ({ head_only = false }) {
      if (!head_only) throw new AppError("rate_limited", { retryAfterSeconds: 5 });
      yield headMessage(0, file.bytes.length);
    });
    const response = await gateway.call(PATH);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "5"]);
    expect([response.headers.get("etag"), response.headers.get("cache-control")]).toEqual([null, "no-store"]);
    expect(await response.json()).toMatchObject({ code: "rate_limited" });
  });

  test("is sent whole with its headers", async () => {
    const response = await gateway.call(PATH);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("0123456789");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-disposition": 'inline; filename="a-lighthouse-at-dawn-2.png"',
      "content-length": "10",
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "content-type": "image/png",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      etag: `"${SHA256}"`,
    });
    expect(response.headers.get("cache-control")).toMatch(/^private, max-age=3[56]\d\d, immutable$/);
  });

  test("an output file of a type that browsers should not open is a download", async () => {
    file.mimeType = "image/svg+xml";
    const response = await gateway.call(PATH);
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="a-lighthouse-at-dawn-2.svg"',
    );
    await response.arrayBuffer();
  });

  test.each([
    ["Ein Märchenschloß im Süden", "ein-marchenschloss-im-suden-2.png", "ein-märchenschloß-im-süden-2.png"],
    ["夜明けの灯台", "out_1.png", "夜明けの灯台-2.png"],
    ["🗼", "out_1.png", undefined],
    ['"; filename=evil.exe\r\nx-a: b', "filename-evil-exe-x-a-b-2.png", undefined],
    ["../../etc/passwd", "etc-passwd-2.png", undefined],
    ["don't (really) *stop*", "don-t-really-stop-2.png", undefined],
    ["word ".repeat(20), `${"word-".repeat(12)}2.png`, undefined],
    ["x".repeat(100), `${"x".repeat(60)}-2.png`, undefined],
  ])(
    "an output file of the prompt %j is named %s, and by its original characters in filename*",
    async (prompt, ascii, full) => {
      file.prompt = prompt;
      const response = await gateway.call(PATH);
      await response.arrayBuffer();
      const more = full === undefined ? "" : `; filename*=UTF-8''${encodeURIComponent(full)}`;
      expect(response.headers.get("content-disposition")).toBe(`inline; filename="${ascii}"${more}`);
    },
  );

  test("answers HEAD from its metadata alone", async () => {
    const response = await gateway.call(PATH, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("10");
    expect(response.headers.get("etag")).toBe(`"${SHA256}"`);
    expect(gateway.calls.map(({ request }) => request["head_only"])).toEqual([true]);
    const part = await gateway.call(PATH, { method: "HEAD", headers: { range: "bytes=2-4" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-length")).toBe("3");
  });

  test("gives 304 to a client that has it", async () => {
    const response = await gateway.call(PATH, { headers: { "if-none-match": `"${SHA256}"` } });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe("");
  });

  test("an output file that is empty is sent empty", async () => {
    file.bytes = Buffer.alloc(0);
    const response = await gateway.call(PATH);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("0");
    expect((await gateway.call(PATH, { headers: { range: "bytes=0-" } })).status).toBe(416);
  });

  test.each([
    ["bytes=2-4", 206, "234", "bytes 2-4/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=-30", 206, "0123456789", "bytes 0-9/10"],
    ["bytes=8-100", 206, "89", "bytes 8-9/10"],
    ["bytes=0-0", 206, "0", "bytes 0-0/10"],
    ["bytes=4-2", 200, "0123456789", null],
    ["bytes=0-1,3-4", 200, "0123456789", null],
    ["bytes=a-b", 200, "0123456789", null],
    ["lines=1-2", 200, "0123456789", null],
  ])("[OUT-03] answers Range: %s with %i", async (range, status, body, contentRange) => {
    const response = await gateway.call(PATH, { headers: { range } });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(body);
    expect(response.headers.get("content-range")).toBe(contentRange);
    expect(response.headers.get("content-length")).toBe(String(body.length));
  });

  test.each(["bytes=10-", "bytes=-0"])(
    "is unsatisfiable for Range: %s, as the refusal says",
    async (range) => {
      const response = await gateway.call(PATH, { headers: { range } });
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe("bytes */10");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("content-disposition")).toBeNull();
      expect(await response.json()).toMatchObject({
        ok: false,
        code: "range_not_satisfiable",
        docs: "/docs/errors#range_not_satisfiable",
      });
      const head = await gateway.call(PATH, { method: "HEAD", headers: { range } });
      expect([head.status, await head.text()]).toEqual([416, ""]);
    },
  );

  test("is sent whole when If-Range names another version", async () => {
    expect((await ranged(`"${SHA256}"`)).status).toBe(206);
    for (const other of ['"other"', `W/"${SHA256}"`, "Sat, 31 Jan 2026 09:30:00 GMT"]) {
      const response = await ranged(other);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe("0123456789");
    }
  });

  test("[OUT-01] [OUT-02] is read as the key's caller, or by its signature without a caller", async () => {
    await (await gateway.call(PATH)).text();
    expect(gateway.calls[0]?.options.caller).toMatchObject({ kind: "key", source: "api" });
    expect(gateway.calls[0]?.request).not.toHaveProperty("signed");

    gateway.calls.length = 0;
    const response = await fetch(`${gateway.url}${PATH}?account=acc_1&expires=1769855402&signature=abc`);
    expect(response.status).toBe(200);
    expect(gateway.calls[0]?.options.caller).toEqual({ kind: "none" });
    expect(gateway.calls[0]?.request).toMatchObject({
      signed: { account: "acc_1", expires: 1_769_855_402, signature: "abc" },
    });
    await response.text();
  });

  test("needs a key or a signature", async () => {
    const response = await fetch(gateway.url + PATH);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "missing_key" });
  });

  test("an output file with an invalid signature looks unknown", async () => {
    gateway.answer("jobs.ReadOutput", async function* ({ signed }) {
      if (signed?.expires !== 1) throw new AppError("not_found");
      yield headMessage(0, 0);
    });
    const bodies = await Promise.all(
      ["account=a&expires=2&signature=x", "expires=tomorrow&signature=x", "signature=", "signature=%00"].map(
        async (query) => {
          const response = await fetch(`${gateway.url}${PATH}?${query}`);
          expect(response.status).toBe(404);
          return { ...((await response.json()) as object), request_id: "" };
        },
      ),
    );
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  test("is not sent as complete when its source breaks off", async () => {
    gateway.answer("jobs.ReadOutput", async function* ({ head_only }) {
      yield headMessage(0, 10);
      if (head_only) return;
      yield { head: null, data: FILE.subarray(0, 4) };
      throw new AppError("service_unavailable");
    });
    await expect(gateway.call(PATH).then((response) => response.arrayBuffer())).rejects.toThrow("terminated");
  });

  test("stops being read when the client disconnects", async () => {
    let ended = false;
    gateway.answer("jobs.ReadOutput", async function* ({ head_only }) {
      file.bytes = Buffer.alloc(2 ** 30);
      yield headMessage(0, 2 ** 30);
      if (head_only) return;
      try {
        for (;;) yield { head: null, data: Buffer.alloc(65_536) };
      } finally {
        ended = true;
      }
    });
    const client = new AbortController();
    const response = await gateway.call(PATH, { signal: client.signal });
    client.abort();
    await expect(response.arrayBuffer()).rejects.toThrow("aborted");
    await waitFor("the reading to end", () => ended);
  });
});

describe("a byte range", () => {
  const size = fc.integer({ min: 0, max: 1000 });
  const position = fc.integer({ min: 0, max: 1200 });

  test("covers exactly the existing bytes from first to last", () => {
    fc.assert(
      fc.property(size, position, fc.option(position, { nil: undefined }), (bytes, first, last) => {
        const asked = Array.from({ length: bytes }, (_, i) => i).filter(
          (i) => i >= first && (last === undefined || i <= last),
        );
        const parsed = parseByteRange(`bytes=${first}-${last ?? ""}`, bytes);
        if (last !== undefined && last < first) return parsed === undefined;
        if (asked.length === 0) return parsed === "unsatisfiable";
        return typeof parsed === "object" && parsed.first === asked[0] && parsed.last === asked.at(-1);
      }),
    );
  });

  test("a byte range of the last bytes covers the existing ones", () => {
    fc.assert(
      fc.property(size, position, (bytes, count) => {
        const parsed = parseByteRange(`bytes=-${count}`, bytes);
        if (count === 0 || bytes === 0) return parsed === "unsatisfiable";
        return (
          typeof parsed === "object" &&
          parsed.last === bytes - 1 &&
          parsed.last - parsed.first + 1 === Math.min(count, bytes)
        );
      }),
    );
  });

  test("never exceeds the file, for any header", () => {
    const header = fc.oneof(
      fc.string(),
      fc.string().map((text) => `bytes=${text}`),
      fc.stringMatching(/^bytes=[\d,\- ]{0,12}$/),
    );
    fc.assert(
      fc.property(header, size, (text, bytes) => {
        const parsed = parseByteRange(text, bytes);
        if (typeof parsed !== "object") return true;
        return 0 <= parsed.first && parsed.first <= parsed.last && parsed.last < bytes;
      }),
      { numRuns: 1000 },
    );
  });
});
