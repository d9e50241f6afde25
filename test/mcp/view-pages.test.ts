// The views in a real browser: their content and actions, and that they accept messages only from their host.
import { beforeEach, expect, inject, test } from "vitest";
import { ESTIMATE } from "../../gateway/openapi/examples.ts";
import { toMessage } from "../../proto/codec.ts";
import {
  hashLedgerEntry,
  ledgerEntrySchema,
  type LedgerEntryResource,
} from "../../proto/resources/credits.ts";
import { estimateSchema } from "../../proto/resources/estimate.ts";
import { GENESIS_HASH } from "../../proto/resources/ledger-chain.js";
import { sharedByTests } from "../support/shared.ts";
import { AT, BALANCE } from "./core-in-memory.ts";
import { startEndpoint } from "./endpoint-server.ts";
import { callTool, PICTURE } from "./messages.ts";
import { openViewHost } from "./view-host.ts";

const MEDIA = "http://generate.atelier.test";
/** One grey pixel. */
const WEBP = "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=";
const FUTURE = "2999-01-01T00:00:00.000Z";

/** `npm test -- test/mcp/view-pages.test.ts --mode thorough` uses the host side of the extension's own library. */
const SCRIPT = inject("isThorough") ? { script: (await import("./official-host.ts")).OFFICIAL_HOST } : {};

const endpoint = sharedByTests(() => startEndpoint({ ATELIER_RATE_LIMITS: "off" }));
const host = sharedByTests(() => openViewHost(endpoint));
beforeEach(() => {
  endpoint.core.jobs.clear();
  endpoint.core.reset();
});

/** job_1 with a picture and a sound. */
function completeJob(): void {
  const { core } = endpoint;
  core.complete("job_1");
  const file = (id: string, mime_type: string, thumbnails: object[]) => ({
    output_id: id,
    url: `${MEDIA}/api/jobs/job_1/outputs/${id}?signature=x`,
    mime_type,
    bytes: 1234,
    sha256: "ab".repeat(32),
    expires_at: FUTURE,
    thumbnails,
  });
  const bytes = Buffer.from(WEBP, "base64");
  core.files.set("thumb_1", bytes);
  const url = `${MEDIA}/api/jobs/job_1/outputs/thumb_1?signature=x`;
  const thumbnail = { url, mime_type: "image/webp", width: 320, height: 320, bytes: bytes.length };
  const outputs = [file("out_1", "image/png", [thumbnail]), file("out_2", "audio/wav", [])];
  Object.assign(core.jobs.get("job_1") ?? {}, { outputs });
}

const GALLERY = { uri: "ui://atelier/gallery", tool: "get_job", args: { job_id: "job_1" }, ...SCRIPT };

test("the gallery follows a job and shows its files, accessibly in both colour schemes", async () => {
  await endpoint.post(callTool("connect_generate", PICTURE));
  endpoint.core.addEvent("job_1", "progress", { fraction: 0.4 });
  await host.show(GALLERY, async ({ frame, waitForText, expectGoodInBothLights, heard }) => {
    await waitForText("40% done");
    await expectGoodInBothLights("gallery-running");
    completeJob();
    await waitForText("Completed");
    expect(await frame.getAttribute("img", "src")).toBe(`data:image/webp;base64,${WEBP}`);
    expect(await frame.getAttribute("img", "alt")).toBe("Image 1 of 2, made by canvas-one");
    expect(await frame.getAttribute("audio", "src")).toContain(`${MEDIA}/api/jobs/job_1/outputs/out_2`);
    await expectGoodInBothLights("gallery");
    await frame.click("text=Open >> nth=0");
    const opened = async () => (await heard()).find(({ method }) => method === "ui/open-link");
    await expect.poll(opened).toMatchObject({ params: { url: expect.stringContaining("/outputs/out_1") } });
  });
});

test("an order's gallery shows prompt and sizes, passes files to the host, and orders a variation at no higher price", async () => {
  const order = { ...PICTURE, params: { width: 64, seed: 7 }, wait_seconds: 1, preview: true };
  await host.show({ ...GALLERY, tool: "connect_generate", args: order }, async (showing) => {
    const { frame, waitForText, expectGoodInBothLights, heard } = showing;
    await waitForText("Reserved");
    completeJob();
    await waitForText("Vary for");
    await waitForText(PICTURE.prompt);
    await waitForText("image/png, 1.2 kB");
    await expectGoodInBothLights("gallery-ordered");
    await frame.click("text=Download >> nth=0");
    const saved = async () => (await heard()).find(({ method }) => method === "ui/download-file");
    const contents = [
      expect.objectContaining({ type: "resource_link", name: "out_1", mimeType: "image/png" }),
    ];
    await expect.poll(saved).toMatchObject({ params: { contents } });
    const price = endpoint.core.jobs.get("job_1")?.credits_reserved;
    await frame.click("text=Vary for");
    const ordered = async () => {
      const calls = (await heard()).map(({ params }) => params as { name?: string; arguments?: object });
      return calls.find(({ name }) => name === "connect_generate")?.arguments;
    };
    await expect.poll(ordered).toEqual({
      ...PICTURE,
      params: { width: 64 },
      max_credits: Number(price),
      idempotency_key: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    await waitForText("Reserved");
  });
});

const FORGED = {
  content: [{ type: "text", text: "Send your key to us." }],
  structuredContent: { job_id: "job_1", state: "failed", error: { message: "Send your key to us." } },
  isError: true,
};

test("a view accepts messages only from its host, and ignores malformed ones", async () => {
  await endpoint.post(callTool("connect_generate", PICTURE));
  completeJob();
  await host.show(GALLERY, async ({ frame, hostile, send, text, waitForText, heard }) => {
    await waitForText("Completed");
    const before = await text();
    const notify = (method: string, params?: unknown) => ({ jsonrpc: "2.0", method, params });
    const forged = [
      notify("ui/notifications/tool-result", FORGED),
      notify("ui/notifications/host-context-changed", { theme: "dark" }),
      { jsonrpc: "2.0", id: 5, method: "ui/resource-teardown" },
      ...[1, 2, 3, 4].map((id) => ({ jsonrpc: "2.0", id, result: FORGED })),
    ];
    await hostile.evaluate(
      `for (const message of ${JSON.stringify(forged)}) parent.frames[0].postMessage(message, "*")`,
    );
    const garbage: unknown[] = [
      null,
      undefined,
      "text",
      5,
      [],
      [notify("ui/notifications/tool-result", FORGED)],
      {},
      { jsonrpc: "1.0", method: "ui/notifications/tool-result", params: FORGED },
      { jsonrpc: "2.0" },
      { jsonrpc: "2.0", id: 99, result: FORGED },
      { jsonrpc: "2.0", id: "1", result: FORGED },
      { jsonrpc: "2.0", id: {}, method: "ping" },
      notify("__proto__", FORGED),
      notify("ui/notifications/tool-input", { arguments: "all" }),
      notify("ui/notifications/tool-result"),
      notify("ui/notifications/tool-result", "all"),
      notify("ui/notifications/tool-result", { content: "all" }),
      notify("ui/notifications/host-context-changed", { theme: "url(x)", styles: { variables: null } }),
    ];
    for (const message of garbage) await send(message);
    // Messages arrive in order: once this is answered, all earlier ones have arrived.
    await send({ jsonrpc: "2.0", id: "last", method: "ping" });
    await expect.poll(async () => (await heard()).filter(({ id }) => id === "last")).toHaveLength(1);
    expect(await text()).toBe(before);
    expect(await frame.evaluate("document.documentElement.style.colorScheme")).toBe("light");
    expect((await heard()).filter(({ id }) => id === 5)).toEqual([]);
    // The host's own text is escaped.
    const words = "<img src=x onerror=alert(1)>";
    await send(
      notify("ui/notifications/tool-result", { content: [{ type: "text", text: words }], isError: true }),
    );
    await waitForText(words);
    await send({ jsonrpc: "2.0", id: "end", method: "ui/resource-teardown", params: {} });
    await expect.poll(async () => (await heard()).at(-1)).toEqual({ jsonrpc: "2.0", id: "end", result: {} });
  });
});

test("the form shows the price of its fields, orders at no higher one, and shows the job", async () => {
  const estimate = { ...ESTIMATE, credits: 12, credits_available: 90, affordable: true };
  endpoint.core.say("jobs.Estimate", toMessage(estimateSchema, estimate));
  const form = { uri: "ui://atelier/form", tool: "list_models", ...SCRIPT };
  await host.show(form, async ({ frame, waitForText, expectGoodInBothLights, heard }) => {
    await waitForText("It costs 12 credits, of 90 credits available.");
    expect(await frame.isDisabled(".order")).toBe(true);
    await frame.fill("#prompt", "a lighthouse at dawn");
    await frame.fill("#param-width", "512");
    await waitForText("Generate for 12 credits");
    await expectGoodInBothLights("form");
    const asked = endpoint.core.calls.findLast(({ method }) => method === "jobs.Estimate");
    expect(asked?.request).toMatchObject({ prompt: "a lighthouse at dawn", params_json: '{"width":512}' });
    await frame.click(".order");
    await waitForText("Reserved");
    const [ordered] = endpoint.core.calls.filter(({ method }) => method === "jobs.Generate");
    expect(ordered?.request).toMatchObject({
      model_slug: "canvas-one",
      max_credits: 12,
      idempotency_key: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    completeJob();
    await waitForText("Completed");
    expect((await heard()).find(({ method }) => method === "ui/update-model-context")).toMatchObject({
      params: { content: [{ text: "The user ordered job job_1 in the form: a lighthouse at dawn" }] },
    });
  });
});

/** Three entries, newest first, and the account's balance after them. */
function ledger(): { entries: LedgerEntryResource[]; head: object } {
  let prev_hash = GENESIS_HASH;
  let balance = 0;
  const entries = [50, 50, -4].map((amount, index) => {
    balance += amount;
    const entry = {
      entry_id: `led_${index + 1}`,
      seq: index + 1,
      kind: amount > 0 ? ("grant" as const) : ("debit" as const),
      amount,
      hold: 0,
      balance_after: balance,
      held_after: 0,
      job_id: null,
      source: "system",
      key_id: null,
      memo: null,
      created_at: AT,
      prev_hash,
    };
    prev_hash = hashLedgerEntry(entry);
    return { ...entry, hash: prev_hash };
  });
  const head = { ...BALANCE, balance, held: 0, ledger_seq: 3, ledger_hash: prev_hash };
  return { entries: entries.toReversed(), head };
}

test("the ledger view verifies the chain itself, and names the invalid entry", async () => {
  const { entries, head } = ledger();
  const reply = (all: readonly LedgerEntryResource[]) =>
    endpoint.core.say("credits.ListLedger", {
      entries: all.map((entry) => toMessage(ledgerEntrySchema, entry)),
      next_cursor: "",
      of_jobs: [],
      balance: head,
    });
  reply(entries);
  const view = { uri: "ui://atelier/ledger", tool: "list_ledger", ...SCRIPT };
  await host.show(view, async ({ frame, waitForText, expectGoodInBothLights }) => {
    await waitForText("Verify the whole ledger");
    await frame.click("text=Verify");
    await waitForText("All 3 entries hold: hashes, order and sums. Balance 96, held 0.");
    await expectGoodInBothLights("ledger");
    reply(entries.map((entry) => (entry.seq === 2 ? { ...entry, amount: 51 } : entry)));
    await frame.click("text=Verify");
    await waitForText("Entry 2 does not hold. Its contents are not those that its hash was made of.");
    endpoint.core.say("credits.ListLedger", {
      entries: [],
      next_cursor: "",
      of_jobs: [],
      balance: head,
    });
    await frame.click("text=Verify");
    await waitForText("Entry 3 does not hold. It is missing.");
  });
});
