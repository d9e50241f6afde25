// An App that commits transactions at a fixed interval, like a replica set whose new primary learns of its secondary only by heartbeats.
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../core/kernel/app.ts";

export function committingEvery<Own extends App>(app: Own, ms: number): Own {
  const { client } = app.mongo;
  const startSession = () => {
    const session = client.startSession();
    const commit = session.commitTransaction.bind(session);
    session.commitTransaction = async () => {
      await sleep(ms - (performance.now() % ms));
      return commit();
    };
    return session;
  };
  const slow = Object.create(client, { startSession: { value: startSession } }) as typeof client;
  return { ...app, mongo: { ...app.mongo, client: slow } };
}
