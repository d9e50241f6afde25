// The rival of the lifecycle measurement: Agenda 6 on the same mongod, an empty job, no credits.
import { MongoBackend } from "@agendajs/mongo-backend";
import { Agenda, InMemoryNotificationChannel } from "agenda";
import type { Db } from "../../core/base/mongo/client.ts";

export type AgendaWorld = { runOne(): Promise<void>; stop(): Promise<void> };

/** 64 jobs at a time, woken at once by its in-memory channel: the fastest set-up that Agenda offers on MongoDB. */
export async function startAgenda(db: Db, atOnce: number): Promise<AgendaWorld> {
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: db as never, collection: "agenda_jobs" }),
    notificationChannel: new InMemoryNotificationChannel(),
    processEvery: 100,
    maxConcurrency: atOnce,
    defaultConcurrency: atOnce,
    lockLimit: 0,
  });
  const ended = new Map<string, () => void>();
  agenda.define("empty", async () => {});
  agenda.on("complete:empty", (job: { attrs: { data: unknown } }) =>
    ended.get((job.attrs.data as { id: string }).id)?.(),
  );
  await agenda.start();
  let next = 0;
  return {
    runOne: async () => {
      const id = String(next++);
      const { promise, resolve } = Promise.withResolvers<void>();
      ended.set(id, resolve);
      await agenda.now("empty", { id });
      await promise;
      ended.delete(id);
    },
    stop: () => agenda.stop(),
  };
}
