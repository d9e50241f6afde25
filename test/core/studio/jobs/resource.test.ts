// Jobs as their owner sees them, in pages.
import { beforeEach, expect, test } from "vitest";
import { listJobs } from "../../../../core/studio/jobs/list.ts";
import { jobs } from "../../../../core/studio/jobs/store.ts";
import { acceptMany, askFor } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

const testApp = useTestApp();
const { app } = testApp;
beforeEach(() => testApp.empty());

const STATES = ["completed", "reserved", "running", "reserved", "reserved", "cancelled", "reserved"] as const;

/** An account with a job in each of these states, oldest first. */
async function createMixed(): Promise<string> {
  const { accountId, caller } = await createCustomer(app);
  const made = await acceptMany(app, STATES.length, askFor(caller));
  for (const [i, { _id }] of made.toSorted((a, b) => (a._id < b._id ? -1 : 1)).entries())
    await jobs(app.mongo.db).updateOne({ _id }, { $set: { state: STATES[i] ?? "reserved" } });
  return accountId;
}

test.each([
  ["all", { limit: 7 }, [4, null, 3, 2, null, 1, null]],
  ["the newest jobs", { limit: 3 }, [4, null, 3]],
  ["waiting jobs", { limit: 7, state: "reserved" }, [4, 3, 2, 1]],
  ["running jobs", { limit: 7, state: "running" }, [null]],
])(
  "[JOB-10] a page of %s shows each waiting job's place in line, with one read of the queue",
  async (_, asked, places) => {
    const accountId = await createMixed();
    await createMixed();
    const commands: string[] = [];
    const watched = await watchCommands(testApp, ({ commandName, command }) => {
      if (commandName !== "endSessions") commands.push(`${commandName} ${command[commandName]}`);
    });
    const query = { accountId, cursor: "", state: "", modality: "", ...asked };
    const page = await listJobs(watched.app, query).finally(watched.close);
    expect(page.jobs.map(({ queue_position }) => queue_position)).toEqual(places);
    const waits = places.some((place) => place !== null);
    // After the last live job, the rest may be in the archive.
    const goesOn = page.jobs.length === STATES.length;
    expect(commands).toEqual([
      "find jobs",
      ...(goesOn ? ["find archive_segments"] : []),
      ...(waits ? ["find jobs"] : []),
    ]);
  },
);

test("places in line are right for queues too long to be listed, beside short ones", async () => {
  const accounts: { accountId: string; waiting: number }[] = [];
  for (const waiting of [3, 240, 0, 2, 130]) {
    const { accountId, caller } = await createCustomer(app);
    const [made] = await acceptMany(app, 1, askFor(caller));
    if (!made) throw new Error("one job was accepted");
    const copies = Array.from({ length: waiting }, (_, i) => ({ ...made, _id: `${made._id}${1000 + i}` }));
    await jobs(app.mongo.db).deleteOne({ _id: made._id });
    if (waiting > 0) await jobs(app.mongo.db).insertMany(copies);
    accounts.push({ accountId, waiting });
  }
  const pages = await Promise.all(
    accounts.map(({ accountId }) =>
      listJobs(app, { accountId, cursor: "", state: "", modality: "", limit: 3 }),
    ),
  );
  const newest = accounts.map(({ waiting }) => [waiting, waiting - 1, waiting - 2].filter((n) => n > 0));
  expect(pages.map((page) => page.jobs.map(({ queue_position }) => queue_position))).toEqual(newest);
});
