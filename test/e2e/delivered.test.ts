// Three of four images: the delivered ones are kept and charged, the rest is refunded in the same transaction, and every surface agrees.
import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { grantCredits } from "../../core/identity/credits/grant.ts";
import { receiver } from "../core/studio/webhooks/receiver.ts";
import { sendForm } from "../site/support/forms.ts";
import { callOf, signInAs } from "../site/support/sign-in.ts";
import { createCustomer, makeKey } from "../support/app.ts";
import type { HttpCalls } from "../support/http-calls.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

/** The number of delivered files; the prompt says it. */
const provider = createScriptedProvider({
  answer: ({ prompt }, call) => {
    const [files = 1, seconds] = prompt.split(" ").map(Number);
    if (seconds !== undefined) call.onUsage({ seconds });
    return Array.from({ length: files }, () => SMALL_OUTPUT);
  },
});
const service = sharedByTests(() => startWholeService({ provider }));

const FOUR = { params: { count: 4 } };
const make: HttpCalls["make"] = (...how) => service.make(...how);
type Balance = { balance: number; grants: { left: number }[] };
const balanceOf = (key: string) => service.read<Balance>("/api/credits/balance", key);

describe("a job that delivers three of four images", () => {
  test("[PART-01] completes, costs three quarters, and returns the rest with one refund, which its last event names", async () => {
    const { key } = await createCustomer(service.app, { credits: 100 });
    const job = await make(key, { ...FOUR, prompt: "3" });
    expect(job).toMatchObject({
      state: "completed",
      credits_reserved: 40,
      credits_charged: 30,
      delivered: { unit: "output", asked: 4, got: 3 },
    });
    expect(job.outputs).toHaveLength(3);
    const entries = await service.ledger(key, job.job_id);
    expect(entries.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      "refund 10",
      "debit -40",
      "reserve 0",
    ]);
    expect(job.events.at(-1)).toMatchObject({
      type: "completed",
      ledger_entry_id: entries[0]?.entry_id,
      detail: { delivered: { asked: 4, got: 3 }, credits_charged: 30, credits_refunded: 10 },
    });
    expect((await balanceOf(key)).balance).toBe(70);
    const tool = await service.tool(key, "get_job", { job_id: job.job_id });
    expect(tool.content[0]?.text).toContain(
      "The provider delivered 3 of 4 images. Credits charged: 30 of 40 reserved; the rest was refunded.",
    );
  });

  test("[PART-02] fails and refunds everything where the request asks for all or nothing", async () => {
    const { key } = await createCustomer(service.app, { credits: 100 });
    const job = await make(key, { ...FOUR, prompt: "3", allow_partial: false });
    expect(job).toMatchObject({ state: "failed", credits_charged: 0, delivered: null, outputs: [] });
    expect(job.error).toEqual({
      code: "provider_bad_answer",
      message: "The provider delivered 3 of 4 files, and the request asked for all or nothing.",
    });
    expect((await balanceOf(key)).balance).toBe(100);
    expect(await make(key, { ...FOUR, prompt: "4", allow_partial: false })).toMatchObject({
      state: "completed",
      credits_charged: 40,
    });
  });

  test("[PART-03] returns the refund to its key's limit", async () => {
    const { accountId } = await createCustomer(service.app, { credits: 100 });
    const { secret } = await makeKey(service.app, accountId, { name: "small", maxCredits: 40 });
    await make(secret, { ...FOUR, prompt: "3" });
    const { key: terms } = await service.read<{ key: object }>("/api/me", secret);
    expect(terms).toMatchObject({ max_credits: 40, credits_this_month: 30 });
    expect(await make(secret, { prompt: "1" })).toMatchObject({ state: "completed" });
  });

  test("[PART-04] refunds the credits that were taken last: those that do not expire first", async () => {
    const { key, accountId } = await createCustomer(service.app, { credits: 15 });
    const expiring = {
      accountId,
      amount: 25,
      kind: "grant",
      memo: null,
      source: "system",
      expiresAt: new Date("2099-01-01"),
    } as const;
    const grant = await grantCredits(service.app, expiring);
    const job = await make(key, { ...FOUR, prompt: "1" });
    const [refund] = await service.ledger(key, job.job_id);
    // 25 of the grant and 15 without expiry were taken; 30 are refunded.
    expect(refund).toMatchObject({
      kind: "refund",
      amount: 30,
      grants: [{ grant_id: grant._id, amount: 15 }],
    });
    expect((await balanceOf(key)).grants).toMatchObject([{ left: 15 }]);
  });

  test("[PART-05] is announced by webhook with the same numbers", async () => {
    const { key } = await createCustomer(service.app, { credits: 100 });
    const endpoint = await receiver();
    const { credits_charged, delivered } = await make(key, {
      ...FOUR,
      prompt: "3",
      callback_url: endpoint.url,
    });
    const hook = await waitFor("the webhook", () => endpoint.received[0]);
    expect(JSON.parse(hook.body.toString())).toMatchObject({
      event: "job.completed",
      job: { credits_charged, delivered },
    });
  });

  test("[PART-05] is described by its page and its receipt with the same numbers", async () => {
    const email = "pat@example.com";
    const pat = await signInAs(service, email);
    const grant = { account: email, amount: 100, kind: "grant", idempotency_key: "pat" } as const;
    await service.core.admin.GrantCredits(grant);
    const form = { model: "picture", prompt: "3", "param.count": "4", shown_price: "40" };
    const pressed = await sendForm(pat, "/generate", form);
    const [jobId = ""] = /job_\w+/.exec(pressed.headers.get("location") ?? "") ?? [];
    await service.core.jobs.GetJob({ job_id: jobId, wait_seconds: 30 }, callOf(pat));
    const { text } = await pat.call(`/jobs/${jobId}`, { headers: { accept: "text/html" } });
    expect(text).toContain("3 of 4 images, 30 credits charged, 10 credits refunded.");
    const [receipt = ""] = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(text) ?? [];
    expect(decodeJwt(receipt)).toMatchObject({ credits: { reserved: 40, captured: 40, refunded: 10 } });
  });
});

describe("a provider's report", () => {
  const clip = { modality: "video", model_slug: "clip", params: { duration_seconds: 8 } };
  test.each([
    ["fewer seconds than were asked for", "1 5.2", 10, { unit: "second", asked: 8, got: 5.2 }],
    ["more than requested", "1 9", 16, { unit: "second", asked: 8, got: 9 }],
    ["a negative number", "1 -3", 16, { unit: "output", asked: 1, got: 1 }],
    ["no number", "1 many", 16, { unit: "output", asked: 1, got: 1 }],
  ])(
    "[PART-06] a provider's report of %s charges %3$d credits, at most the price",
    async (_what, prompt, charged, delivered) => {
      const { key } = await createCustomer(service.app, { credits: 100 });
      expect(await make(key, { ...clip, prompt })).toMatchObject({
        credits_reserved: 16,
        credits_charged: charged,
        delivered,
      });
    },
  );

  test("[PART-02] a clip that is shorter than asked for fails where the request asks for all or nothing", async () => {
    const { key } = await createCustomer(service.app, { credits: 100 });
    const job = await make(key, { ...clip, prompt: "1 5.2", allow_partial: false });
    expect(job).toMatchObject({ state: "failed", credits_charged: 0, delivered: null });
    expect(job.error?.message).toBe(
      "The provider delivered 5.2 of 8 seconds, and the request asked for all or nothing.",
    );
    const whole = await make(key, { ...clip, prompt: "1 8", allow_partial: false });
    expect(whole).toMatchObject({ state: "completed", credits_charged: 16 });
    expect((await balanceOf(key)).balance).toBe(84);
  });

  test("is counted in a metric when it is impossible, and when the operator pays for unrequested units", async () => {
    const text = await service.app.metrics.registry.metrics();
    expect(text).toMatch(/provider_usage_faults_total\{[^}]*fault="negative"[^}]*\} 1/);
    expect(text).toMatch(/provider_usage_faults_total\{[^}]*fault="not_a_number"[^}]*\} 1/);
    expect(text).toMatch(/provider_over_delivered_total\{[^}]*\} 1/);
  });

  test("keeps the audit clean", async () => {
    expect(await service.audit()).toEqual([]);
  });
});
