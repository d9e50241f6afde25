// The response to a repeated Idempotency-Key with another request, for every set of differing fields.
import { describe, expect, test } from "vitest";
import { differences, hashRequest } from "../../../../core/studio/jobs/same-request.ts";
import { generateRequestSchema, type JobRequest } from "../../../../proto/resources/job.ts";
import { frozen, jobDoc } from "../../../fixtures/docs.ts";

describe("a request under an Idempotency-Key that was used before", () => {
  const asked: JobRequest = frozen({
    modality: "image",
    model_slug: "picture",
    prompt: "a harbour",
    params: {},
    metadata: {},
  });
  const job = jobDoc("reserved");
  const names = Object.keys(generateRequestSchema.shape);

  test("returns exactly the names of the fields that differ, for every set of them, and no values", () => {
    for (let set = 1; set < 2 ** names.length; set++) {
      const changed = names.filter((_, i) => set & (1 << i));
      const again: JobRequest = { ...asked };
      for (const name of changed) Object.assign(again, { [name]: { another: name } });
      expect(hashRequest(again)).not.toBe(hashRequest(asked));
      // The model's default is a count of 1.
      expect(differences(job, again, { count: 1, ...again.params })).toEqual(
        changed.map((path) => ({ path, message: "differs from the first request" })),
      );
    }
  });

  test("differs in params that do not fit the model, or that spell out a default", () => {
    const paths = (filled: Record<string, unknown> | undefined) =>
      differences(job, asked, filled).map(({ path }) => path);
    expect(paths(undefined)).toEqual(["params"]);
    expect(paths({ count: 1 })).toEqual(["params"]);
  });

  test("is the same for any order of names", () => {
    const one = { ...asked, params: { a: 1, b: { c: [1, 2], d: 2 } } };
    const other = { ...asked, params: { b: { d: 2, c: [1, 2] }, a: 1 } };
    expect(hashRequest(one)).toBe(hashRequest(other));
    expect(hashRequest({ ...one, params: { a: 1, b: { c: [2, 1], d: 2 } } })).not.toBe(hashRequest(one));
  });

  // Digests that earlier releases stored. They must never change, because a client may repeat its request at any time.
  test.each([
    ["77c4ff541a60d4ca2af2beab30306b1c14cffe5b3c4c91c9f487c958e9172ea9", asked],
    [
      "1b38cfc7d75b56ed35234ccf49979ccb3dfeca8a1649b038ec304fe1b726853e",
      {
        ...asked,
        callback_url: "https://example.com/",
        params: { b: { d: 2, c: [2, 1] }, a: 1 },
        metadata: { order: "1" },
      },
    ],
  ])("has the permanent digest %s", (digest, request) => {
    expect(hashRequest(request)).toBe(digest);
    const { params, metadata, ...short } = request;
    if (Object.keys(params ?? {}).length + Object.keys(metadata ?? {}).length === 0)
      expect(hashRequest(short)).toBe(digest);
  });

  test("has another digest with a new field, and the same when that field is null", () => {
    const withField = (more: object): JobRequest => Object.assign({ ...asked }, more);
    const digest = hashRequest(asked);
    for (const nothing of [undefined, null, [], {}])
      expect(hashRequest(withField({ not_yet: nothing }))).toBe(digest);
    const said = [
      { not_yet: 0 },
      { not_yet: 1 },
      { nor_this: 1 },
      { not_yet: 1, nor_this: 1 },
      { not_yet: "" },
    ];
    const digests = said.map((more) => hashRequest(withField(more)));
    expect(new Set([digest, ...digests]).size).toBe(said.length + 1);
    expect(hashRequest(withField({ nor_this: 1, not_yet: 1 }))).toBe(digests[3]);
  });
});
