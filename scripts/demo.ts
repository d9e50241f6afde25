// `npm run demo -- [FOLDER]`: the main job as a client sees it, over HTTP alone: files, their events, callbacks and credits, a file
// of one's own in another style, its thumbnail, and a job that is called off.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { characters, type JobEventResource, type JobResource } from "../proto/resources/job.ts";
import { priceInWords, priceOf, pricingOf } from "../proto/resources/pricing.ts";
import { type Client, createClient, type GenerateBody, type LedgerEntry, type Model } from "./demo/client.ts";
import { expectThat } from "./demo/expect.ts";
import { fetchFile, fetchThumbnail } from "./demo/files.ts";
import { ledgerTable, verifyLedger } from "./demo/ledger.ts";
import { openReceiver, type Receiver } from "./demo/receiver.ts";
import { findOrStartService } from "./demo/service.ts";

const FOLDER = process.argv[2] ?? fileURLToPath(new URL("../artifacts/demo", import.meta.url));
const CALLBACK_BOUND_MS = 60_000;

const WANTED: readonly Omit<GenerateBody, "callback_url">[] = [
  {
    modality: "image",
    model_slug: "atelier-canvas",
    prompt: "a lighthouse over a calm sea at dawn",
    params: { width: 1280, height: 720 },
  },
  {
    modality: "audio",
    model_slug: "atelier-voice",
    prompt: "Good evening. This file was made for you.",
  },
  {
    modality: "video",
    model_slug: "atelier-loop",
    prompt: "mountains under drifting clouds in the evening",
    params: { duration_seconds: 2 },
  },
];

type Made = { body: GenerateBody; idempotencyKey: string; price: number; jobId: string };

/** Undone in the reverse order, once, however the demo ends. */
const undos: (() => Promise<void>)[] = [];
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void interrupt());

try {
  step("Service");
  const { access, note } = await findOrStartService((undo) => undos.push(undo));
  say(`${access.generation_base_url} (${note})`);
  const receiver = await openReceiver(access.callback_secret);
  undos.push(receiver.close);
  await runDemo(createClient(access.generation_base_url, access.generation_key), receiver);
} catch (error) {
  process.exitCode = 1;
  if (!interrupted) console.error(`demo: ${describe(error)}`);
}
await undoAll();

async function runDemo(client: Client, callbacks: Receiver): Promise<void> {
  const models = await client.listModels();
  step("Models");
  for (const { model_slug, modality, name, ...price } of models)
    say(
      `${model_slug.padEnd(18)} ${modality.padEnd(6)} ${priceInWords(pricingOf(price)).padEnd(23)} ${name}`,
    );

  const before = await client.getBalance();
  step(`Generating, with ${before.available} credits available`);
  const made: Made[] = [];
  for (const wanted of WANTED)
    made.push(await generate(client, models, { ...wanted, callback_url: callbacks.url }));
  if (made[0]) await repeat(client, made[0]);

  step("Events, as they happen");
  const histories = await Promise.all(made.map((one) => follow(client, one)));
  for (const [i, one] of made.entries()) await checkHistory(client, one, histories[i] ?? []);
  say("numbered from 1 without gaps, and the same in the job's record");

  step(`Callbacks, received at ${callbacks.url}`);
  for (const one of made) await checkCallback(client, callbacks, one);

  step("Files");
  await saveFiles(client, made);

  step("A file of one's own, in another style");
  const restyled = await restyle(client, models, callbacks);

  step("Cancelled");
  const calledOff = await cancelCall(client, models, callbacks);

  step("Ledger");
  await checkCredits(client, [...made, restyled], calledOff, before.ledger_seq);
}

async function generate(client: Client, models: readonly Model[], body: GenerateBody): Promise<Made> {
  const model = models.find(({ model_slug }) => model_slug === body.model_slug);
  expectThat(model !== undefined, `the model ${body.model_slug} is not in the list`);
  const price = listedPrice(model, body);
  const idempotencyKey = `demo-${randomUUID()}`;
  const { job_id, state, credits_reserved } = await client.generate(body, idempotencyKey);
  expectThat(state === "reserved", `${job_id} begins as ${state}`);
  expectThat(
    credits_reserved === price,
    `${body.model_slug} reserved ${credits_reserved} credits; the price list says ${price}`,
  );
  say(
    `${body.modality.padEnd(6)} ${job_id}  ${String(price).padStart(2)} credits reserved  "${body.prompt}"`,
  );
  return { body, idempotencyKey, price, jobId: job_id };
}

/** By the list of prices, with the defaults of the model's own params schema. */
function listedPrice(model: Model, { params, prompt }: Pick<GenerateBody, "params" | "prompt">): number {
  const schema = z.looseObject({
    properties: z.record(z.string(), z.looseObject({ default: z.unknown().optional() })),
  });
  const defaults = Object.entries(schema.parse(model.params_schema).properties).flatMap(([name, param]) =>
    param.default === undefined ? [] : [[name, param.default] as const],
  );
  const asked = { params: { ...Object.fromEntries(defaults), ...params }, characters: characters(prompt) };
  const price = priceOf(pricingOf(model), asked);
  expectThat(price !== undefined, `the list of prices has none for ${model.model_slug}`);
  return price.credits;
}

/** What a client does when an answer was lost: the same request again, under the same Idempotency-Key. */
async function repeat(client: Client, { body, idempotencyKey, jobId }: Made): Promise<void> {
  const again = await client.generate(body, idempotencyKey);
  expectThat(
    again.replayed && again.job_id === jobId,
    `repeating the request of ${jobId} made ${again.job_id}`,
  );
  say(`${body.modality.padEnd(6)} sent again with the same Idempotency-Key: the same job`);
}

async function follow(client: Client, { body, jobId }: Made): Promise<JobEventResource[]> {
  const events: JobEventResource[] = [];
  for await (const event of client.watch(jobId)) {
    events.push(event);
    const fraction = event.detail["fraction"];
    const more =
      event.ledger_entry_id ?? (typeof fraction === "number" ? `${Math.round(fraction * 100)} %` : "");
    say(
      `${event.at.slice(11, 23)}  ${body.modality.padEnd(6)} #${event.seq} ${event.type.padEnd(9)} ${more}`,
    );
  }
  return events;
}

async function checkHistory(
  client: Client,
  { jobId }: Made,
  events: readonly JobEventResource[],
): Promise<void> {
  const job = await client.getJob(jobId);
  expectThat(
    job.state === "completed",
    `${jobId} ended as ${job.state}: ${job.error?.message ?? "no reason given"}`,
  );
  expectThat(
    events.every(({ seq }, i) => seq === i + 1),
    `the events of ${jobId} have a gap: ${events.map(({ seq }) => seq).join(", ")}`,
  );
  expectThat(
    JSON.stringify(events) === JSON.stringify(job.events),
    `${jobId} has another history in its record than in its event stream`,
  );
}

async function checkCallback(client: Client, callbacks: Receiver, { body, jobId }: Made): Promise<void> {
  const { event, delivery_id, job } = await callbacks.callbackOf(jobId, CALLBACK_BOUND_MS);
  const record = await client.getJob(jobId);
  expectThat(
    event === "job.completed" && fingerprint(job) === fingerprint(record),
    `the callback of ${jobId} tells another story than the job's record`,
  );
  say(`${body.modality.padEnd(6)} ${event} ${delivery_id}: x-service-signature and webhook-signature verify`);
}

function fingerprint({ state, events, outputs }: Pick<JobResource, "state" | "events" | "outputs">): string {
  return JSON.stringify([state, events, outputs.map(({ output_id, sha256 }) => [output_id, sha256])]);
}

async function saveFiles(client: Client, made: readonly Made[]): Promise<void> {
  const seen = new Set<string>();
  for (const { body, jobId } of made) {
    const [output] = (await client.getJob(jobId)).outputs;
    expectThat(output !== undefined, `${jobId} completed without an output`);
    const file = await fetchFile(output, FOLDER, body.modality);
    expectThat(!seen.has(file.sha256), `${file.path} has the content of another file`);
    seen.add(file.sha256);
    say(`${shownPath(file.path)}  ${file.bytes} bytes  ${file.magic}`);
    say(`  sha256 ${file.sha256}, as the job says`);
  }
}

/** What the first job made is brought back as an upload, and a model makes another picture of it. */
async function restyle(client: Client, models: readonly Model[], callbacks: Receiver): Promise<Made> {
  const image = await client.upload(readFileSync(join(FOLDER, "image.png")));
  say(`uploaded as ${image}`);
  const made = await generate(client, models, {
    modality: "image",
    model_slug: "atelier-restyle",
    prompt: "an ink drawing",
    params: { image, style: "line" },
    callback_url: callbacks.url,
  });
  await checkHistory(client, made, await follow(client, made));
  const [output] = (await client.getJob(made.jobId)).outputs;
  expectThat(output !== undefined, `${made.jobId} completed without an output`);
  const file = await fetchFile(output, FOLDER, "restyled");
  say(`${shownPath(file.path)}  ${file.bytes} bytes  ${file.magic}`);
  say(shownPath(await fetchThumbnail(output, FOLDER, "thumbnail")));
  return made;
}

/** A long clip that nobody waits for. */
async function cancelCall(client: Client, models: readonly Model[], callbacks: Receiver): Promise<Made> {
  const made = await generate(client, models, {
    modality: "video",
    model_slug: "atelier-motion",
    prompt: "a train through snow",
    params: { duration_seconds: 10 },
    callback_url: callbacks.url,
  });
  await client.cancel(made.jobId);
  await follow(client, made);
  const { state, credits_charged } = await client.getJob(made.jobId);
  expectThat(state === "cancelled" && credits_charged === 0, `${made.jobId} ended as ${state}`);
  say("cancelled, and every credit came back");
  return made;
}

function shownPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") ? path : fromHere;
}

async function checkCredits(
  client: Client,
  made: readonly Made[],
  calledOff: Made,
  seqBefore: number,
): Promise<void> {
  const balance = await client.getBalance();
  // Other clients of this account may go on; what counts is the ledger up to the balance that was read.
  const entries = (await client.readLedger()).filter(({ seq }) => seq <= balance.ledger_seq);
  verifyLedger(entries, balance);

  const ours = new Map([...made, calledOff].map((one) => [one.jobId, one]));
  const net = entries.filter(({ job_id }) => job_id === calledOff.jobId);
  expectThat(
    net.length >= 2 && sum(net) === 0,
    `${calledOff.jobId} was cancelled and cost ${-sum(net)} credits`,
  );
  for (const { jobId, price } of made) {
    const moves = entries.filter(({ job_id }) => job_id === jobId).map(toMove);
    const expected = [`reserve 0 ${price}`, `debit ${-price} ${-price}`];
    expectThat(
      moves.join() === expected.join(),
      `${jobId} moved the credits by ${moves.join(", ") || "nothing"}`,
    );
  }
  const since = entries.filter(({ seq }) => seq > seqBefore);
  const opening = entries.findLast(({ seq }) => seq <= seqBefore)?.balance_after ?? 0;
  const spent = made.reduce((sum, { price }) => sum + price, 0);
  const others = since
    .filter(({ job_id }) => !ours.has(job_id ?? ""))
    .reduce((sum, { amount }) => sum + amount, 0);
  expectThat(
    opening - spent + others === balance.balance,
    `${opening} - ${spent} and ${others} of others is not the balance of ${balance.balance}`,
  );

  const shown = entries.filter(({ seq }) => seq >= Math.max(1, seqBefore));
  say(ledgerTable(shown, (jobId) => ours.get(jobId)?.body.modality ?? "another"));
  say(
    `${entries.length} entries from the account's first on: the hash chain holds, and the sums fit every entry`,
  );
  say(
    `balance: ${opening} - ${made.map(({ price }) => price).join(" - ")}${others === 0 ? "" : ` ${others < 0 ? "-" : "+"} ${Math.abs(others)} (other jobs)`} = ${balance.balance}, of which held ${balance.held}`,
  );
}

function sum(entries: readonly LedgerEntry[]): number {
  return entries.reduce((total, { amount }) => total + amount, 0);
}

function toMove({ kind, amount, hold }: LedgerEntry): string {
  return `${kind} ${amount} ${hold}`;
}

function step(title: string): void {
  console.log(`\n${title}`);
}

function say(text: string): void {
  console.log(text.trimEnd().replace(/^/gm, "  "));
}

function describe(error: unknown): string {
  if (error instanceof z.ZodError)
    return `a response does not have the documented shape: ${z.prettifyError(error)}`.replaceAll(/\s+/g, " ");
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message
    ? `${error.message} (${error.cause.message})`
    : error.message;
}

async function interrupt(): Promise<void> {
  if (interrupted) return;
  interrupted = true;
  await undoAll();
  process.exit(130);
}

async function undoAll(): Promise<void> {
  for (const undo of undos.splice(0).reverse()) await undo();
}
