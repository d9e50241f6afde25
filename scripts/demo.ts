// `npm run demo -- [FOLDER]`: the main features through the JavaScript client: files with their events, webhooks and credits.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import {
  Atelier,
  type Callback,
  type Generation,
  type Job,
  type JobEvent,
  type LedgerEntry,
  type Output,
  verifyCallback,
} from "../clients/js/src/index.ts";
import { priceInWords, pricingOf } from "../proto/resources/pricing.ts";
import { waitFor } from "../test/support/wait-for.ts";
import { type AtEnd, runCommand } from "./testbed/command.ts";
import { findOrStartService } from "./testbed/service.ts";

const FOLDER = process.argv[2] ?? fileURLToPath(new URL("../artifacts/demo", import.meta.url));
const CALLBACK_BOUND_MS = 60_000;
const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "audio/wav": "wav",
  "video/mp4": "mp4",
};

const WANTED: readonly Generation[] = [
  {
    model: "atelier-canvas",
    prompt: "a lighthouse over a calm sea at dawn",
    params: { width: 1280, height: 720 },
  },
  { model: "atelier-voice", prompt: "Good evening. This file was made for you." },
  {
    model: "atelier-loop",
    prompt: "mountains under drifting clouds in the evening",
    params: { duration_seconds: 2 },
  },
];

type Made = { name: string; jobId: string; price: number };

await runCommand(
  "demo",
  async (atEnd) => {
    step("Service");
    const { access, note } = await findOrStartService(atEnd);
    say(`${access.generation_base_url} (${note})`);
    const client = new Atelier({ baseUrl: access.generation_base_url, apiKey: access.generation_key });
    await runDemo(client, await openEndpoint(access.callback_secret, atEnd));
    return 0;
  },
  130,
);

async function runDemo(client: Atelier, endpoint: Endpoint): Promise<void> {
  step("Models");
  for (const { model_slug, modality, name, ...price } of await client.models())
    say(
      `${model_slug.padEnd(18)} ${modality.padEnd(6)} ${priceInWords(pricingOf(price)).padEnd(23)} ${name}`,
    );

  const before = await client.balance();
  step(`Generating, with ${before.available} credits available`);
  const made: Made[] = [];
  for (const wanted of WANTED) made.push(await generate(client, endpoint, wanted));
  say("each requested twice with one Idempotency-Key: one job each");

  step("Events, as they happen");
  const jobs = await Promise.all(made.map((one) => follow(client, one)));
  say("numbered from 1 without gaps, and the same in the job's record");

  step(`Webhooks, received at ${endpoint.url}`);
  for (const job of jobs) await checkWebhook(endpoint, job);

  step("Files");
  for (const { modality, outputs } of jobs)
    for (const output of outputs) await save(client, output, modality);

  step("Ledger");
  await checkCredits(client, made, before.ledger_seq);
}

/** Creates a job at the estimated price, and repeats its Idempotency-Key, like a client whose response was lost. */
async function generate(client: Atelier, { url: callbackUrl }: Endpoint, wanted: Generation): Promise<Made> {
  const request = { ...wanted, callbackUrl };
  const idempotencyKey = `demo-${randomUUID()}`;
  const { credits: price } = await client.estimate(request);
  const {
    job_id: jobId,
    state,
    modality,
    credits_reserved,
  } = await client.generate(request, { idempotencyKey });
  assert(
    state === "reserved" && credits_reserved === price,
    `${jobId} is ${state} with ${credits_reserved} credits; the estimate says ${price}`,
  );
  const again = await client.generate(request, { idempotencyKey });
  assert(again.job_id === jobId, `repeating the request of ${jobId} made ${again.job_id}`);
  say(`${modality.padEnd(6)} ${jobId}  ${String(price).padStart(2)} credits reserved  "${wanted.prompt}"`);
  return { name: modality, jobId, price };
}

/** Prints the events until the job has completed; they must match its record. */
async function follow(client: Atelier, { jobId, name }: Made): Promise<Job> {
  const events: JobEvent[] = [];
  for await (const event of client.events(jobId)) {
    events.push(event);
    const { fraction } = event.detail as { fraction?: number };
    const more = event.ledger_entry_id ?? (fraction === undefined ? "" : `${Math.round(fraction * 100)}%`);
    say(`${event.at.slice(11, 23)}  ${name.padEnd(6)} #${event.seq} ${event.type.padEnd(9)} ${more}`);
  }
  const job = await client.job(jobId);
  assert(job.state === "completed", `${jobId} is ${job.state}: ${job.error?.message ?? "no reason given"}`);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, i) => i + 1),
    `the events of ${jobId} have a gap`,
  );
  assert.deepEqual(events, job.events, `the stream and the record of ${jobId} differ`);
  return job;
}

async function checkWebhook(endpoint: Endpoint, job: Job): Promise<void> {
  const { event, delivery_id, job: delivered } = await endpoint.webhookOf(job.job_id);
  const told = ({ state, events, outputs }: Pick<Job, "state" | "events" | "outputs">) =>
    JSON.stringify([state, events, outputs.map(({ output_id, sha256 }) => [output_id, sha256])]);
  assert(
    event === "job.completed" && told(delivered) === told(job),
    `the webhook of ${job.job_id} differs from the job's record`,
  );
  say(`${job.modality.padEnd(6)} ${event} ${delivery_id}: its signature verifies`);
}

/** Saves a job's file; its bytes must match the job's hash. */
async function save(client: Atelier, output: Output, name: string): Promise<void> {
  const bytes = await client.download(output);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const stated = [output.bytes, output.sha256];
  assert.deepEqual([bytes.length, sha256], stated, `${output.output_id} is not what its job says`);
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, `${name}.${EXTENSIONS[output.mime_type]}`);
  writeFileSync(path, bytes);
  say(`${relative(process.cwd(), path)}  ${bytes.length} bytes  ${output.mime_type}`);
  say(`  sha256 ${sha256}, as the job says`);
}

/** Each job has moved its credits once, and the whole ledger adds up to the balance. */
async function checkCredits(client: Atelier, made: readonly Made[], seqBefore: number): Promise<void> {
  const proof = await client.verifyLedger();
  assert(proof.ok, `ledger entry ${proof.ok || proof.seq} does not hold`);
  const entries: LedgerEntry[] = [];
  for await (const entry of client.ledger()) {
    if (entry.seq < Math.max(1, seqBefore)) break;
    entries.unshift(entry);
  }
  const movesOf = (jobId: string) =>
    entries
      .filter(({ job_id }) => job_id === jobId)
      .map(({ kind, amount, hold }) => `${kind} ${amount} ${hold}`);
  for (const { jobId, price } of made)
    assert.deepEqual(
      movesOf(jobId),
      [`reserve 0 ${price}`, `debit ${-price} ${-price}`],
      `${jobId} moved the credits by ${movesOf(jobId).join(", ") || "nothing"}`,
    );
  const names = new Map(made.map(({ jobId, name }) => [jobId, name]));
  const rows = entries.map(
    ({ seq, kind, amount, hold, balance_after: balance, held_after: held, job_id, memo, hash }) => {
      const job = job_id === null ? memo : (names.get(job_id) ?? "another");
      return [seq, { kind, amount, hold, balance, held, job, hash: `${hash.slice(0, 12)}…` }];
    },
  );
  console.table(Object.fromEntries(rows));
  const { balance, held } = await client.balance();
  say(
    `${proof.entries} entries from the account's first on: the hash chain holds, and they add up to a balance of ${balance}, ${held} of it held`,
  );
}

type Endpoint = {
  readonly url: string;
  /** Rejects when a webhook is invalid, or none arrives in time. */
  webhookOf(jobId: string): Promise<Callback>;
};

/** A local server that verifies each webhook before parsing it. */
async function openEndpoint(secret: string, atEnd: AtEnd): Promise<Endpoint> {
  const arrived = new Map<string, Callback>();
  let refusal: Error | undefined;
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => verifyCallback({ secret, headers: request.headers, body }))
      .then((webhook) => {
        if (webhook.job) arrived.set(webhook.job.job_id, webhook as Callback);
        response.writeHead(204).end();
      })
      .catch((error: Error) => {
        refusal = error;
        response.writeHead(400).end();
      });
  }).listen(0, "127.0.0.1");
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  await waitFor("the endpoint to listen", () => server.listening);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    webhookOf: async (jobId) => {
      const found = await waitFor(
        `the webhook of ${jobId}`,
        () => refusal ?? arrived.get(jobId),
        CALLBACK_BOUND_MS,
      );
      if (found instanceof Error) throw found;
      return found;
    },
  };
}

function step(title: string): void {
  console.log(`\n${title}`);
}

function say(text: string): void {
  console.log(text.trimEnd().replace(/^/gm, "  "));
}
