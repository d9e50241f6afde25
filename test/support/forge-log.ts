// Forges the public log: a liar has the database and the key of the service.
import { Binary, type Document } from "mongodb";
import { appendEntries, treeHash } from "../../core/identity/log/merkle-rules.ts";
import { checkpointText, logEntryOf } from "../../core/identity/log/rules.ts";
import { type BuiltDoc, statements } from "../../core/identity/log/store-solvency.ts";
import { findLog, type LoggedHeadDoc, logs } from "../../core/identity/log/store.ts";
import { statementEntry, statementOf } from "../../core/identity/log/sum-rules.ts";
import type { App } from "../../core/kernel/app.ts";
import { noteOf } from "../../core/kernel/signing/notes.ts";

export type Logged = LoggedHeadDoc | (BuiltDoc & { index: number });

const docsOf = ({ mongo }: Pick<App, "mongo">, name: string) =>
  mongo.db.collection<Document & { _id: string }>(name);

/** The heads and totals in the log, in its order. */
export async function loggedOf(app: Pick<App, "mongo">): Promise<Logged[]> {
  const of = async (name: string) =>
    docsOf(app, name)
      .find({ index: { $exists: true } })
      .toArray();
  const all = [...(await of("log_heads")), ...(await of("solvency"))] as unknown as Logged[];
  return all.sort((one, other) => one.index - other.index);
}

/** Makes the log that these heads and totals yield in their order, and signs it. */
export async function forgeLog(
  app: Pick<App, "mongo" | "signingKeys">,
  logged: readonly Logged[],
): Promise<void> {
  const { db } = app.mongo;
  const docs = (name: string) => docsOf(app, name);
  const [log, key] = [await findLog(db), app.signingKeys.receipts[0]];
  if (!log || !key) throw new Error("there is no log");
  const entries = logged.map((one) => {
    if ("built" in one)
      return statementEntry(statementOf(log.origin, { ...one.built, root: one.built.root.value() }));
    const { account_id: accountId, seq, hash, salt } = one;
    return logEntryOf({ accountId, seq, hash }, salt.value());
  });
  const size = logged.length;
  const tiles = appendEntries(new Map(), 0, entries);
  const root = treeHash(tiles, 0, size);
  const heads = logged.flatMap((one, index) => ("built" in one ? [] : [{ ...one, index }]));
  await docs("log_heads").deleteMany({});
  await docs("log_heads").insertMany(heads);
  for (const [index, one] of logged.entries())
    if ("built" in one) await statements(db).updateOne({ _id: one._id }, { $set: { index } });
  await docs("log_tiles").deleteMany({});
  await docs("log_tiles").insertMany(
    [...tiles].map(([tile, hashes]) => ({ _id: `${log._id}/${tile}`, hashes: new Binary(hashes) })),
  );
  const note = noteOf(key, log.origin, checkpointText(log.origin, size, root));
  const checkpoint = { size, note, at: new Date() };
  await logs(db).updateOne({ _id: log._id }, { $set: { size, root: new Binary(root), checkpoint } });
}
