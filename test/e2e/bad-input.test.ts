// Bad input over HTTP to the whole service: a clear refusal or correct work, and no 5xx.
import { beforeAll, describe, expect, test } from "vitest";
import type { JobResource } from "../../proto/resources/job.ts";
import { createCustomer } from "../support/app.ts";
import { expectRefusal, GENERATE, PICTURE } from "../support/http-calls.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";

let key: string;
const service = sharedByTests(() => startWholeService());
beforeAll(async () => {
  ({ key } = await createCustomer(service.app, { plan: "studio", credits: 1_000_000 }));
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  service.call<{ result: { job_id: string } }>(GENERATE, { key, method: "POST", body, headers });

/** Posts a body that must be accepted. Returns the job as its owner reads it. */
async function accepted(body: unknown): Promise<JobResource> {
  const answer = await post(body);
  expect(answer.status, answer.text).toBe(202);
  return service.waitForEnd(key, answer.body.result.job_id);
}

describe("a body of the wrong shape is refused with its field", () => {
  const WRONG = { string: 5, object: "text", enum: "text" } as const;
  const OTHERS = [null, true, 1.5, -1, "", [], {}, ["image"], [[]], { a: { b: 1 } }, Number.MAX_SAFE_INTEGER];
  const FITS: Record<string, (value: unknown) => boolean> = {
    modality: () => false,
    model_slug: () => false,
    prompt: (value) => typeof value === "string" && value.trim() !== "",
    // null is the same as leaving an optional field out.
    callback_url: (value) => value === null,
    // The model validates objects.
    params: (value) => value === null || isEmptyObject(value),
    metadata: (value) => value === null || isEmptyObject(value),
  };
  function isEmptyObject(value: unknown): boolean {
    return (
      typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
    );
  }

  test.each(Object.keys(FITS))("every wrong type of %s", async (field) => {
    for (const value of [...Object.values(WRONG), ...OTHERS]) {
      const answer = await post({ ...PICTURE, [field]: value });
      if (FITS[field]?.(value)) {
        expect(answer.status).toBe(202);
        continue;
      }
      // An unknown slug has another error code.
      const code = (answer.body as Record<string, unknown>)["code"];
      expect([field, value, code]).toEqual([
        field,
        value,
        field === "model_slug" && value === "text" ? "model_not_available" : "invalid_request",
      ]);
      if (code !== "invalid_request") continue;
      const { issues } = answer.body as unknown as { issues: { path: string }[] };
      expect(issues.every(({ path }) => path.startsWith(field))).toBe(true);
      expectRefusal(answer, "invalid_request", { message: expect.any(String), issues: expect.any(Array) });
    }
  });

  test("[GEN-02] all missing fields together", async () => {
    expectRefusal(await post({}), "invalid_request", {
      message: "modality is required; model_slug is required; prompt is required.",
      issues: ["modality", "model_slug", "prompt"].map((path) => ({ path, message: "is required" })),
    });
  });

  test("[GEN-03] unknown fields of any name", async () => {
    for (const name of [
      "seed",
      "Prompt",
      "",
      "constructor",
      "toString",
      "hasOwnProperty",
      "$where",
      "a.b",
      "é",
    ]) {
      const answer = await post(JSON.stringify({ ...PICTURE, [name]: 1 }));
      expectRefusal(answer, "invalid_request", {
        message: `${name || "The body"} is not a known field.`,
        issues: [{ path: name, message: "is not a known field" }],
      });
    }
  });

  test.each(["null", "true", "0", '"text"', "[]", "[{}]"])("a document that is %s", async (body) => {
    expectRefusal(await post(body), "invalid_request", {
      message: "The body must be an object.",
      issues: [{ path: "", message: "must be an object" }],
    });
  });
});

describe("text that could be harmful later", () => {
  test("[GEN-11] unusual but harmless names in metadata are returned as they were sent", async () => {
    const metadata = {
      constructor: "a",
      prototype: "b",
      toString: "c",
      hasOwnProperty: "d",
      __defineGetter__: "e",
      $set: "f",
      "a.b": "g",
      "": "h",
      "0": "i",
      "<script>": "\u202e ' \" ; --",
    };
    const job = await accepted({ ...PICTURE, metadata });
    expect(Object.fromEntries(Object.entries(job.metadata))).toEqual(metadata);
  });

  test("refused params with names of Object.prototype change nothing", async () => {
    for (const name of ["constructor", "toString", "valueOf", "$where", "count.x"]) {
      const answer = await post({ ...PICTURE, params: { [name]: 1 } });
      expectRefusal(answer, "invalid_request", {
        message: expect.any(String),
        issues: [{ path: expect.any(String), message: expect.any(String) }],
      });
    }
  });
});

describe("sizes at the limit and one above", () => {
  const emoji = "🎨";

  test("[GEN-06] a prompt of 4,000 emoji is accepted, one of 4,001 refused", async () => {
    const prompt = emoji.repeat(4000);
    const job = await accepted({ ...PICTURE, prompt });
    expect(job.prompt).toBe(prompt);
    expect(job.state).toBe("completed");
    const message = "must be at most 4000 characters";
    expectRefusal(await post({ ...PICTURE, prompt: prompt + emoji }), "invalid_request", {
      message: `prompt ${message}.`,
      issues: [{ path: "prompt", message }],
    });
  });

  test("characters of several code points are kept whole", async () => {
    for (const prompt of ["👩‍👩‍👧‍👦".repeat(500), "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍".repeat(100), "\u{10ffff}\ufeff\u2028", "مرحبا", "  a  "])
      expect((await accepted({ ...PICTURE, prompt })).prompt).toBe(prompt);
  });

  test("[GEN-10] 20 metadata pairs of the maximum length are kept, one more pair or character is refused", async () => {
    const pairs = (count: number, name = 64, value = 512) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          emoji.repeat(name - 2) + String(i).padStart(2, "0"),
          emoji.repeat(value),
        ]),
      );
    expect((await accepted({ ...PICTURE, metadata: pairs(20) })).metadata).toEqual(pairs(20));
    for (const [metadata, message] of [
      [pairs(21), "must have at most 20 pairs"],
      [pairs(1, 65), "has a name that must have at most 64 characters"],
      [pairs(1, 64, 513), "must have at most 512 characters"],
    ] as const) {
      const answer = await post({ ...PICTURE, metadata });
      expectRefusal(answer, "invalid_request", {
        message: expect.stringContaining(message),
        issues: [{ path: expect.stringMatching(/^metadata/), message }],
      });
    }
  });

  test("[GEN-07] a callback_url of 2,048 characters is accepted, one of 2,049 refused", async () => {
    const url = (length: number) => "https://receiver.invalid/".padEnd(length, "x");
    await accepted({ ...PICTURE, callback_url: url(2048) });
    const message = "must have at most 2048 characters";
    expectRefusal(await post({ ...PICTURE, callback_url: url(2049) }), "invalid_request", {
      message: `callback_url ${message}.`,
      issues: [{ path: "callback_url", message }],
    });
  });

  test("[GEN-12] an Idempotency-Key has 1 to 255 visible characters", async () => {
    expect((await post(PICTURE, { "idempotency-key": "k".repeat(255) })).status).toBe(202);
    for (const bad of ["", "k".repeat(256), "a b"]) {
      expectRefusal(await post(PICTURE, { "idempotency-key": bad }), "invalid_request", {
        message: "idempotency-key must be 1 to 255 visible ASCII characters.",
        issues: [{ path: "idempotency-key", message: "must be 1 to 255 visible ASCII characters" }],
      });
    }
  });
});

test("no bad input left data behind or caused a 5xx", () => {
  expect(service.errors).toEqual([]);
  expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
});
