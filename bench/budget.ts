// A cap under 1,000 parallel requests: how many credits are spent above it, and how many requests are refused although they fit. This
// service over HTTP, with a spending limit of the key; and a naive check that reads the remaining credits, then writes.
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../core/base/mongo/client.ts";
import { openPlace, type Place } from "./support/place.ts";
import { printTable, rate } from "./support/stats.ts";
import { printMachine } from "./support/world.ts";

const REQUESTS = 1_000;
/** The number of requests within the cap. */
const ROOM = 500;
const ROUNDS = 3;
const GENERATE = {
  modality: "image",
  model_slug: "atelier-canvas",
  prompt: "a lighthouse on a cliff at dusk",
};

export async function run(): Promise<void> {
  printMachine();
  console.log(
    "LiteLLM's proxy is left out: its budgets need a database engine that no package registry has\n",
  );
  const place = await openPlace(false, { ATELIER_RATE_LIMITS: "off" });
  const model = await place.app.mongo.db.collection<{ _id: string; credits: number }>("models").findOne({
    _id: GENERATE.model_slug,
  });
  const cap = ROOM * (model?.credits ?? Number.NaN);
  const sides = [
    ["this service, a key's spending limit", () => overHttp(place, cap)],
    ["read what is left, then write", () => readThenWrite(place.app.mongo.client.db("naive"))],
  ] as const;
  const rows: string[][] = [];
  for (const [name, ask] of sides) {
    const accepted: number[] = [];
    for (let round = 0; round < ROUNDS; round++) accepted.push(await ask());
    const [beyond, wronged] = [1, -1].map((sign) =>
      accepted.map((count) => Math.max(0, sign * (count - ROOM))),
    );
    rows.push([name, accepted.map(rate).join(", "), (beyond ?? []).join(", "), (wronged ?? []).join(", ")]);
  }
  console.log(`${rate(REQUESTS)} requests at the same time, a cap with room for ${ROOM}, ${ROUNDS} rounds`);
  printTable(["", "accepted", "beyond the cap", "refused wrongly"], rows);
  console.log(await place.audit());
  await place.close();
}

/** The number of accepted requests. */
async function overHttp(place: Place, maxCredits: number): Promise<number> {
  const { key } = await place.createCustomer(maxCredits);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const ask = async (): Promise<number> => {
    const url = `http://127.0.0.1:${place.port}/api/v1/connect/generate`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(GENERATE) });
    await answer.arrayBuffer();
    // The service refuses this many parallel requests with a retry time, and has decided nothing about them.
    if (answer.status === 503) {
      await sleep(1000 * Number(answer.headers.get("retry-after") ?? 1));
      return ask();
    }
    if (![202, 402].includes(answer.status)) throw new Error(`answered ${answer.status}`);
    return answer.status;
  };
  const statuses = await Promise.all(Array.from({ length: REQUESTS }, ask));
  return statuses.filter((status) => status === 202).length;
}

async function readThenWrite(db: Db): Promise<number> {
  const [accounts, jobs] = [db.collection<{ _id: string; left: number }>("accounts"), db.collection("jobs")];
  await jobs.deleteMany({});
  await accounts.replaceOne({ _id: "one" }, { left: ROOM }, { upsert: true });
  const ask = async () => {
    const account = await accounts.findOne({ _id: "one" });
    if (!account || account.left < 1) return;
    await jobs.insertOne({ ...GENERATE });
    await accounts.updateOne({ _id: "one" }, { $inc: { left: -1 } });
  };
  await Promise.all(Array.from({ length: REQUESTS }, ask));
  return jobs.countDocuments();
}
