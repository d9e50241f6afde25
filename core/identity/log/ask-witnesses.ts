// Asks the witnesses of the settings to cosign the newest checkpoint, once it is published. The log never waits for them, and nothing that
// they answer changes it.
import { type Dispatcher, request } from "undici";
import type { Witness } from "../../../runtime/config/log-witnesses.ts";
import type { Db } from "../../base/mongo/client.ts";
import { describeFailure, TIMED_OUT } from "../../base/outbound/describe-failure.ts";
import { createCheckedAgent, createResolver } from "../../base/outbound/dial.ts";
import { release, takeThese } from "../../base/work/queue.ts";
import type { App } from "../../kernel/app.ts";
import { consistencyPath, tilesAbove } from "./merkle-rules.ts";
import { currentLog } from "./read-log.ts";
import { findWitnesses, insertWitness, type WitnessDoc, witnessDocs, witnessId } from "./store-witnesses.ts";
import { findTiles, type LogDoc } from "./store.ts";
import {
  askBody,
  type Cosignature,
  readCosignature,
  readSize,
  refusalOf,
  type Seen,
  seenIn,
  waitAfterFault,
} from "./witness-rules.ts";

/** For one request; a witness is asked twice at most. */
const ANSWER_MS = 5_000;
const MAX_BYTES = 16 * 1024;
const LEASE_MS = 60_000;

type Asked = {
  readonly log: LogDoc;
  readonly note: string;
  readonly seen: Seen;
  readonly agent: Dispatcher;
  readonly answerMs: number;
  readonly signal: AbortSignal | undefined;
};

/** Safe to repeat, in several processes, and to kill at any moment: a witness names the size that it has seen. */
export async function askWitnesses(
  app: App,
  signal?: AbortSignal,
  { answerMs = ANSWER_MS }: { readonly answerMs?: number } = {},
): Promise<void> {
  const log = await currentLog(app);
  if (!log?.checkpoint) return;
  const { note } = log.checkpoint;
  const seen = seenIn(note);
  const known = await findWitnesses(app.mongo.db, log, app.config.logWitnesses);
  const behind = app.config.logWitnesses.flatMap((witness, at) => {
    const { size, root } = known[at]?.cosigned ?? {};
    return size === seen.size && root === seen.root ? [] : { witness, isNew: !known[at] };
  });
  if (behind.length === 0) return;
  // The operator's own settings may lead anywhere.
  const agent = createCheckedAgent({
    policy: "any",
    resolve: createResolver("any"),
    connectTimeoutMs: answerMs,
  });
  const asked = { log, note, seen, agent, answerMs, signal };
  try {
    await Promise.all(behind.map((one) => askLeased(app, one, asked)));
  } finally {
    await agent.destroy();
  }
}

async function askLeased(
  app: App,
  { witness, isNew }: { readonly witness: Witness; readonly isNew: boolean },
  asked: Asked,
): Promise<void> {
  const { db } = app.mongo;
  const docs = witnessDocs(db);
  const now = app.clock.now();
  const _id = witnessId(asked.log, witness);
  if (isNew) await insertWitness(db, _id, now);
  const [taken] = await takeThese(docs, [_id], { now, leaseMs: LEASE_MS });
  if (!taken) return;
  const found = await ask(app, witness, taken, asked);
  const end = app.clock.now();
  if (typeof found === "object")
    return void (await release(docs, taken, end, { $set: { cosigned: found, fault: null } }));
  if (asked.signal?.aborted) return void (await release(docs, taken, end));
  const since = taken.fault?.since ?? end;
  if (taken.fault?.words !== found)
    app.log.warn({ witness: witness.name, log: asked.log.origin, fault: found }, "a witness did not cosign");
  const next = new Date(end.getTime() + waitAfterFault(end.getTime() - since.getTime()));
  await release(docs, taken, next, { $set: { fault: { words: found, since } } });
}

/** A string says why it has not cosigned. */
async function ask(
  app: App,
  witness: Witness,
  { cosigned }: WitnessDoc,
  { log, note, seen, ...call }: Asked,
): Promise<(Seen & Cosignature) | string> {
  const { size } = seen;
  let old = Math.min(cosigned?.size ?? 0, size);
  for (let isFirst = true; ; isFirst = false) {
    const body = askBody(old, await growthFrom(app.mongo.db, log._id, old, size), note);
    const answer = await post(witness.url, body, call);
    if (typeof answer === "string") return answer;
    if (answer.status === 200) {
      const found = readCosignature(answer.text, note, witness, app.clock.now());
      return typeof found === "string" ? found : { ...seen, ...found };
    }
    if (answer.status !== 409) return refusalOf(answer.status, old, size);
    const named = readSize(answer.text);
    if (named === undefined) return "it responds with HTTP 409 and names no size";
    if (named > size)
      return `it has seen ${named} entries, and the log has ${size}: the log was cut off, or has a second writer`;
    if (!isFirst || named === old) return `it contradicts itself: it names ${named} entries, and not those`;
    old = named;
  }
}

async function growthFrom(db: Db, log: string, old: number, size: number): Promise<Uint8Array[]> {
  if (old === 0 || old === size) return [];
  const keys = new Set([...tilesAbove(size), ...tilesAbove(size, old - 1)]);
  return consistencyPath(await findTiles(db, log, [...keys]), old, size);
}

/** The answer, or the reason in plain words why there is none. */
async function post(
  url: string,
  body: string,
  { agent, answerMs, signal }: Pick<Asked, "agent" | "answerMs" | "signal">,
): Promise<{ readonly status: number; readonly text: string } | string> {
  const late = AbortSignal.timeout(answerMs);
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method: "POST",
      headers: { "content-type": "text/plain; charset=utf-8", "user-agent": "Atelier-Log/1" },
      body,
      signal: signal ? AbortSignal.any([late, signal]) : late,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) return `its response has more than ${MAX_BYTES / 1024} KiB`;
      chunks.push(chunk);
    }
    return { status: answer.statusCode, text: Buffer.concat(chunks).toString() };
  } catch (error) {
    return `it was not reached: ${late.aborted ? TIMED_OUT : describeFailure(error)}`;
  }
}
