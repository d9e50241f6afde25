// Prefer: wait=N on generate: the response is the job itself if it ends in time.
import { beforeAll, describe, expect, test } from "vitest";
import { findJobById } from "../../core/studio/jobs/store-reads.ts";
import { preferredWait } from "../../gateway/http/prefer.ts";
import type { JobResource } from "../../proto/resources/job.ts";
import { createCustomer } from "../support/app.ts";
import { GENERATE, type HttpCalls, PICTURE } from "../support/http-calls.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

/** Prompts that begin with "held" wait for the test; "fails" fails. */
const held = new Map<string, () => void>();
const provider = createScriptedProvider({
  answer: ({ prompt }) => {
    if (prompt === "fails") throw new Error("broken");
    if (!prompt.startsWith("held")) return [SMALL_OUTPUT];
    const { promise, resolve } = Promise.withResolvers<(typeof SMALL_OUTPUT)[]>();
    held.set(prompt, () => resolve([SMALL_OUTPUT]));
    return promise;
  },
});

let key: string;
const service = sharedByTests(() => startWholeService({ provider }));
beforeAll(async () => {
  ({ key } = await createCustomer(service.app));
});

type Answer = { ok: true; result: JobResource };

const generate = (prompt: string, headers: Record<string, string>, on: HttpCalls = service, by = key) =>
  on.call<Answer>(GENERATE, { key: by, method: "POST", body: { ...PICTURE, prompt }, headers });
const letGo = (prompt: string) =>
  waitFor(`the call for ${prompt}`, () => held.get(prompt)).then((finish) => finish());

const SIX = ["credits_reserved", "estimated_seconds", "job_id", "modality", "model_slug", "state"];

describe("Prefer: wait on generate", () => {
  test("[PREF-01] returns 200 with the whole job when it has ended in time, completed or failed", async () => {
    const answer = await generate("a pier", { prefer: "wait=60" });
    expect([answer.status, answer.headers.get("preference-applied")]).toEqual([200, "wait=60"]);
    const { job_id, state, outputs } = answer.body.result;
    expect(state).toBe("completed");
    expect(outputs).toHaveLength(1);
    expect(new URL(answer.headers.get("location") ?? "").pathname).toBe(`/api/jobs/${job_id}`);
    expect(answer.body.result).toEqual(
      (await service.call<Answer>(`/api/jobs/${job_id}`, { key })).body.result,
    );
    const failed = await generate("fails", { prefer: "respond-async, wait=60" });
    expect([failed.status, failed.body.result.state]).toEqual([200, "failed"]);
  });

  test("[PREF-02] returns 202 with the current job when the time is over, with all promised fields", async () => {
    const answer = await generate("held too long", { prefer: "wait=1" });
    expect([answer.status, answer.headers.get("preference-applied")]).toEqual([202, "wait=1"]);
    expect(answer.body.result).toMatchObject({ state: "running", events: expect.any(Array), outputs: [] });
    expect(Object.keys(answer.body.result)).toEqual(expect.arrayContaining(SIX));
    await letGo("held too long");
  });

  test.each([{}, { prefer: "respond-async" }, { prefer: "wait=0" }, { prefer: "wait=long" }])(
    "[PREF-03] Prefer: wait on generate that is absent or malformed returns 202 immediately: %j",
    async (headers) => {
      const prompt = `held ${JSON.stringify(headers)}`;
      const answer = await generate(prompt, headers);
      expect([answer.status, answer.headers.get("preference-applied")]).toEqual([202, null]);
      expect(Object.keys(answer.body.result).sort()).toEqual(SIX);
      expect(answer.body.result.state).toBe("reserved");
      await letGo(prompt);
    },
  );

  test("[PREF-04] [GEN-16] returns the first job of an Idempotency-Key, and waits for it", async () => {
    const headers = { prefer: "wait=60", "idempotency-key": "order-1" };
    const [first, second] = [generate("held twice", headers), generate("held twice", headers)];
    await letGo("held twice");
    const answers = [await first, await second, await generate("held twice", headers)];
    expect(new Set(answers.map(({ body }) => body.result.job_id)).size).toBe(1);
    expect(answers.map(({ status, body }) => [status, body.result.state])).toEqual(
      Array(3).fill([200, "completed"]),
    );
    const replayed = answers.map((answer) => answer.headers.get("idempotency-replayed"));
    expect(replayed.filter((told) => told === "true")).toHaveLength(2);
    expect((await generate("another", headers)).status).toBe(422);
  });

  test("[PREF-05] returns immediately above the limit of waits, and the job is still created", async () => {
    const customer = await createCustomer(service.app);
    const face = await service.openEdge({ ATELIER_RATE_LIMITS: "on", ATELIER_OPEN_PER_ACCOUNT: "1" });
    const { body } = await generate("held in view", {}, face, customer.key);
    const leaving = new AbortController();
    const stream = await fetch(`${face.url}/api/jobs/${body.result.job_id}/events`, {
      headers: { authorization: `Bearer ${customer.key}` },
      signal: leaving.signal,
    });
    expect(stream.status).toBe(200);
    const answer = await generate("a full house", { prefer: "wait=60" }, face, customer.key);
    expect([answer.status, answer.headers.get("preference-applied")]).toEqual([202, null]);
    expect(Object.keys(answer.body.result).sort()).toEqual(SIX);
    leaving.abort();
    const again = await waitFor("the place to be free", async () => {
      const one = await generate("a free house", { prefer: "wait=60" }, face, customer.key);
      return one.status === 200 && one;
    });
    expect(again.headers.get("preference-applied")).toBe("wait=60");
    await letGo("held in view");
  });

  test("[PREF-06] survives a disconnect: the job continues, and the slot is free again", async () => {
    const customer = await createCustomer(service.app);
    const face = await service.openEdge({ ATELIER_RATE_LIMITS: "on", ATELIER_OPEN_PER_ACCOUNT: "1" });
    const leaving = new AbortController();
    const waiting = fetch(`${face.url}${GENERATE}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${customer.key}`,
        "content-type": "application/json",
        prefer: "wait=60",
      },
      body: JSON.stringify({ ...PICTURE, prompt: "held and left" }),
      signal: leaving.signal,
    }).catch((error: unknown) => error);
    const finish = await waitFor("the provider's call", () => held.get("held and left"));
    const jobId = provider.calls.find(({ request }) => request.prompt === "held and left")?.call
      .idempotencyKey;
    leaving.abort();
    expect(await waiting).toBeInstanceOf(DOMException);
    await waitFor("the place to be free", async () => {
      const { status } = await generate("a free house", { prefer: "wait=60" }, face, customer.key);
      return status === 200;
    });
    finish();
    await waitFor("the job to end", async () => {
      const job = await findJobById(service.app.mongo.db, jobId ?? "");
      return job?.state === "completed";
    });
  });

  test("returns a refusal as usual, without a wait", async () => {
    const { status } = await service.call(GENERATE, {
      key,
      method: "POST",
      body: { ...PICTURE, prompt: "" },
      headers: { prefer: "wait=60" },
    });
    expect(status).toBe(400);
  });
});

test.each([
  ["wait=10", 10],
  ["WAIT=10", 10],
  ["wait = 10", 10],
  ['wait="10"', 10],
  ["respond-async, wait=5", 5],
  ["wait=5, respond-async", 5],
  ["return=minimal; x=1, wait=7; y", 7],
  ['foo="a, wait=3", wait=9', 9],
  ["wait=1", 1],
  ["wait=60", 60],
  // Above the maximum; and as Replicate's clients send it.
  ["wait=600", 60],
  ["wait", 60],
  // The first one counts.
  ["wait=2, wait=9", 2],
])("Prefer: %s waits", (header, seconds) => expect(preferredWait(header)).toBe(seconds));

test.each([
  undefined,
  "",
  "respond-async",
  "wait=0",
  "wait=-1",
  "wait=1.5",
  "wait=soon",
  "wait=5s",
  "waits=5",
  "a=wait=5",
  ",,",
  '"wait=5"',
  "x".repeat(5_000),
  `${'"'.repeat(2_000)},wait`,
])("Prefer: %s does not wait", (header) => expect(preferredWait(header)).toBeUndefined());
