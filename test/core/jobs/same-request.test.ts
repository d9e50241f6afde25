// What a repeated Idempotency-Key is told: every set of fields that may differ.
import { describe, expect, test } from "vitest";
import { differences, hashRequest } from "../../../core/jobs/same-request.ts";
import { frozen, jobDoc } from "../../fixtures/docs.ts";

describe("a request under an Idempotency-Key that was used before", () => {
  const asked = frozen({
    modality: "image",
    modelSlug: "picture",
    prompt: "a harbour",
    callbackUrl: null,
    params: {},
    metadata: {},
  });
  const job = jobDoc("reserved");
  const CHANGES = {
    modality: { modality: "video" },
    model_slug: { modelSlug: "other" },
    prompt: { prompt: "A harbour" },
    params: { params: { count: 2 } },
    metadata: { metadata: { order: "1" } },
    callback_url: { callbackUrl: "https://example.com/" },
  };
  const names = Object.keys(CHANGES) as (keyof typeof CHANGES)[];

  test("is told exactly the fields that differ, for every set of them, and no values", () => {
    for (let set = 1; set < 2 ** names.length; set++) {
      const changed = names.filter((_, i) => set & (1 << i));
      const again = { ...asked, ...Object.assign({}, ...changed.map((name) => CHANGES[name])) };
      expect(hashRequest(again)).not.toBe(hashRequest(asked));
      // The model's default is a count of 1.
      expect(differences(job, again, { count: 1, ...again.params })).toEqual(
        changed.map((path) => ({ path, message: "differs from the first request" })),
      );
    }
  });

  test("differs in params where they do not fit the model, or where a default is spelled out", () => {
    const paths = (filled: Record<string, unknown> | undefined) =>
      differences(job, asked, filled).map(({ path }) => path);
    expect(paths(undefined)).toEqual(["params"]);
    expect(paths({ count: 1 })).toEqual(["params"]);
  });

  test("is the same whatever the order of names", () => {
    const one = { ...asked, params: { a: 1, b: { c: [1, 2], d: 2 } } };
    const other = { ...asked, params: { b: { d: 2, c: [1, 2] }, a: 1 } };
    expect(hashRequest(one)).toBe(hashRequest(other));
    expect(hashRequest({ ...one, params: { a: 1, b: { c: [2, 1], d: 2 } } })).not.toBe(hashRequest(one));
  });
});
