// Filters of the list of jobs, and their cost for an account with very many jobs.
import type { CommandStartedEvent } from "mongodb";
import { beforeAll, describe, expect, test } from "vitest";
import type { OutputDoc } from "../../../../core/kernel/outputs/store.ts";
import { listJobs, type JobQuery } from "../../../../core/studio/jobs/list.ts";
import { type JobDoc, jobs } from "../../../../core/studio/jobs/store.ts";
import { acceptOne } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

/** The time of the newest job of `many`; each is a minute older than the next. */
const NEWEST = new Date("2026-03-01T12:00:00.000Z");
const MINUTE_MS = 60_000;
const MANY = 3_000;
const MAX_READ = 500;

const testApp = useTestApp();

/** Jobs created one a minute, newest first. */
async function insertJobs(changes: readonly Partial<JobDoc>[]): Promise<string> {
  const { accountId, caller } = await createCustomer(testApp.app);
  const like = await acceptOne(testApp.app, caller);
  const rows = changes.map((change, i) => {
    const at = new Date(NEWEST.getTime() - i * MINUTE_MS);
    return { ...like, _id: idAt(at), state: "completed" as const, created_at: at, ...change };
  });
  const { db } = testApp.app.mongo;
  await jobs(db).deleteOne({ _id: like._id });
  await jobs(db).insertMany(rows);
  return accountId;
}

let made = 0;
/** An id as app.newId makes it at that time. */
function idAt(at: Date): string {
  const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  let [rest, text] = [at.getTime(), ""];
  for (let i = 0; i < 10; i++) [rest, text] = [Math.floor(rest / 32), alphabet.charAt(rest % 32) + text];
  return `job_${text}${String(made++).padStart(16, "0")}`;
}

const file = (given: Partial<OutputDoc>): OutputDoc => ({
  output_id: "out_1",
  mime_type: "image/png",
  bytes: 1,
  sha256: "",
  width: null,
  height: null,
  duration_seconds: null,
  expires_at: new Date("2999-01-01"),
  ...given,
});

type Asked = Partial<Omit<JobQuery, "accountId">>;

const page = (accountId: string, asked: Asked = {}, maxRead?: number) =>
  listJobs(testApp.app, { accountId, limit: 100, cursor: "", ...asked }, maxRead);

describe("a list of jobs", () => {
  let accountId: string;
  beforeAll(async () => {
    accountId = await insertJobs([
      { prompt: "0", state: "reserved" },
      { prompt: "1", state: "running" },
      { prompt: "2", state: "running", cancel_requested_at: NEWEST },
      { prompt: "3", metadata: { order: "7", "a.b": "1" }, starred: true, outputs: [file({})] },
      {
        prompt: "4",
        metadata: { order: "7", $set: "x" },
        model_slug: "other",
        starred: true,
        outputs: [file({ expires_at: new Date(0) }), file({ deleted_at: NEWEST })],
      },
      { prompt: "5", state: "failed", metadata: { order: "8" }, modality: "audio", outputs: [file({})] },
      { prompt: "6", state: "cancelled", model_slug: "other" },
      { prompt: "A Lighthouse at dawn, like in a Märchen (glass|fog).*" },
    ]);
  });

  const prompts = async (asked: Asked) =>
    (await page(accountId, asked)).jobs.map(({ prompt }) => (prompt.length > 1 ? "7" : prompt)).join("");

  test.each<[string, Asked, string]>([
    ["everything", {}, "01234567"],
    ["one state", { state: "failed" }, "5"],
    ["several states", { state: "failed,cancelled" }, "56"],
    ["several states with blanks between", { state: "failed, cancelled" }, "56"],
    ["running, and not cancelling", { state: "running" }, "1"],
    ["cancelling", { state: "cancelling" }, "2"],
    ["both", { state: "cancelling,running" }, "12"],
    ["not ended", { state: "reserved,running,cancelling" }, "012"],
    ["running ones among ended ones", { state: "running,failed" }, "15"],
    ["cancelling ones among ended ones", { state: "cancelling,failed" }, "25"],
    ["a model", { model: "other" }, "46"],
    ["an unknown model", { model: "nothing" }, ""],
    ["a modality", { modality: "audio" }, "5"],
    ["a start time", { since: "2026-03-01T11:58:00Z" }, "012"],
    ["an end time", { until: "2026-03-01T11:56:00Z" }, "567"],
    ["a time with an offset", { since: "2026-03-01T12:59:00+01:00" }, "01"],
    ["a period", { since: "2026-03-01T11:56:00Z", until: "2026-03-01T11:58:00Z" }, "34"],
    ["an empty period", { since: "2026-03-01T11:58:00Z", until: "2026-03-01T11:58:00Z" }, ""],
    ["a pair of metadata", { metadata: { order: "7" } }, "34"],
    ["a metadata name with a dot", { metadata: { "a.b": "1" } }, "3"],
    ["a metadata name with a dollar sign", { metadata: { $set: "x" } }, "4"],
    ["a metadata value that looks like an operator", { metadata: { order: "$prompt" } }, ""],
    ["several metadata pairs", { metadata: { order: "7", $set: "x" } }, "4"],
    ["metadata pairs of which one is missing", { metadata: { order: "8", $set: "x" } }, ""],
    ["a word of the prompt", { search: "5" }, "5"],
    ["words of the prompt in any case and order, and parts of them", { search: " DAWN  light " }, "7"],
    ["words of which one is missing", { search: "lighthouse dusk" }, ""],
    ["symbols, literally", { search: "(glass|fog).*" }, "7"],
    ["regular expression characters, literally", { search: ".*" }, "7"],
    ["accented letters in either case", { search: "MÄRCHEN" }, "7"],
    ["words and a filter", { search: "lighthouse", state: "failed" }, ""],
    ["favourites that still have a file", { starred: true }, "3"],
    ["all filters together", { state: "completed,failed", model: "other", metadata: { order: "7" } }, "4"],
  ])("[JOB-40] is filtered by %s", async (_, asked, expected) => {
    expect(await prompts(asked)).toBe(expected);
  });

  test("[JOB-43] contains the requested ids of its own account only", async () => {
    const all = (await page(accountId)).jobs.map(({ job_id }) => job_id);
    const others = await insertJobs([{ prompt: "another account's" }]);
    const [theirs] = (await page(others)).jobs.map(({ job_id }) => job_id);
    const named = [all[3] ?? "", all[1] ?? "", theirs ?? "", "job_none"];
    expect((await page(accountId, { job_ids: named })).jobs.map(({ prompt }) => prompt)).toEqual(["1", "3"]);
    const narrowed = await page(accountId, { job_ids: named, state: "running" });
    expect(narrowed.jobs.map(({ prompt }) => prompt)).toEqual(["1"]);
  });

  test.each<[string, Asked]>([
    ["search", { search: "x".repeat(201) }],
    ["search", { search: "a b c d e f g h i j k" }],
    ["search", { search: "a\u0000" }],
    ["job_ids", { job_ids: Array.from({ length: 101 }, (_, i) => `job_${i}`) }],
    ["state", { state: "done" }],
    ["state", { state: "failed," }],
    ["state", { state: "failed,done" }],
    ["model", { model: "x".repeat(101) }],
    ["since", { since: "yesterday" }],
    ["until", { until: "2026-02-30T00:00:00Z" }],
    ["metadata", { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, ""])) }],
  ])("names a wrong %s", async (path, asked) => {
    await expect(page(accountId, asked)).rejects.toMatchObject({
      code: "invalid_request",
      issues: [expect.objectContaining({ path })],
    });
  });

  test("[JOB-07] is of one account, and pages without a gap", async () => {
    await insertJobs([{ prompt: "another account's", model_slug: "other" }]);
    const asked = { metadata: { order: "7" }, limit: 1 };
    const first = await page(accountId, asked);
    const second = await page(accountId, { ...asked, cursor: first.nextCursor });
    expect([...first.jobs, ...second.jobs].map(({ prompt }) => prompt)).toEqual(["3", "4"]);
    expect(second.nextCursor).toBe("");
  });
});

describe("a list of very many jobs", () => {
  let accountId: string;
  beforeAll(async () => {
    const rare = new Set([10, 1_234, 2_900]);
    accountId = await insertJobs(
      Array.from({ length: MANY }, (_, i) => ({
        prompt: String(i),
        ...(rare.has(i) && {
          prompt: `${i} rare`,
          metadata: { rare: "yes" },
          model_slug: "rare",
          state: "failed" as const,
        }),
        ...(i === 2_999 && { state: "running" as const }),
      })),
    );
    // Other accounts have more jobs, so that a scan of the collection would show.
    await insertJobs(Array.from({ length: MANY }, () => ({ metadata: { rare: "yes" } })));
  });

  test("[JOB-44] shows how far back it searched when a page stopped early", async () => {
    const { jobs: found, lookedBackTo, nextCursor } = await page(accountId, { search: "9" }, MAX_READ);
    const first = await page(accountId, { model: "nothing" }, MAX_READ);
    const at = (i: number) => new Date(NEWEST.getTime() - i * MINUTE_MS).toISOString();
    expect([first.jobs, first.lookedBackTo]).toEqual([[], at(MAX_READ - 1)]);
    expect([found.length, lookedBackTo]).toEqual([95, at(MAX_READ - 1)]);
    expect(nextCursor).not.toBe("");
    expect((await page(accountId, { model: "nothing" }, MANY)).lookedBackTo).toBeUndefined();
    expect((await page(accountId, {}, MAX_READ)).lookedBackTo).toBeUndefined();
  });

  test.each<Asked>([
    { metadata: { rare: "yes" } },
    { model: "rare" },
    { state: "failed,cancelled" },
    { search: "are" },
  ])("[JOB-41] continues from where a page of rare jobs stopped: %j", async (asked) => {
    const pages: string[][] = [];
    let cursor = "";
    do {
      const { jobs: rows, nextCursor } = await page(accountId, { ...asked, cursor }, MAX_READ);
      pages.push(rows.map(({ prompt }) => prompt.replace(" rare", "")));
      cursor = nextCursor;
    } while (cursor !== "" && pages.length < 20);
    expect(pages).toEqual([["10"], [], ["1234"], [], [], ["2900"]]);
  });

  test("has no next cursor when reading ends with the last job", async () => {
    const { nextCursor } = await page(accountId, { model: "rare" }, MANY);
    expect(nextCursor).toBe("");
    expect((await page(accountId, { model: "rare" }, MANY - 1)).nextCursor).not.toBe("");
  });

  /** What MongoDB examined for every query of a page: stages and documents. */
  async function examined(asked: Asked): Promise<{ stages: string[]; docs: number; keys: number }> {
    const commands: CommandStartedEvent[] = [];
    const watched = await watchCommands(testApp, (event) => commands.push(event));
    await listJobs(watched.app, { accountId, limit: 50, cursor: "", ...asked }, MAX_READ).finally(
      watched.close,
    );
    const queries = commands.filter(
      ({ command }) => command["find"] === "jobs" || command["aggregate"] === "jobs",
    );
    expect(queries.length).toBeGreaterThan(0);
    const plans = await Promise.all(
      queries.map(({ command: { lsid: _l, $clusterTime: _c, $db: _d, readConcern: _r, ...query } }) =>
        testApp.app.mongo.db.command({ explain: query, verbosity: "executionStats" }),
      ),
    );
    const text = JSON.stringify(plans);
    const numbers = (name: string) =>
      [...text.matchAll(new RegExp(`"${name}":(\\d+)`, "g"))].map(([, n]) => Number(n));
    return {
      stages: [...new Set([...text.matchAll(/"stage":"(\w+)"/g)].map(([, stage = ""]) => stage))],
      docs: Math.max(...numbers("totalDocsExamined")),
      keys: Math.max(...numbers("totalKeysExamined")),
    };
  }

  test.each<Asked>([
    { metadata: { rare: "yes" } },
    { model: "nothing" },
    { state: "cancelled" },
    { state: "running,failed" },
    { modality: "audio" },
    { search: "nothing" },
    { starred: true },
    { since: "2020-01-01T00:00:00Z", model: "nothing" },
  ])("[JOB-42] reads a bounded number of documents by an index for one page: %j", async (asked) => {
    const { stages, docs, keys } = await examined(asked);
    expect(stages).not.toContain("COLLSCAN");
    expect(stages).toContain("IXSCAN");
    expect(stages).not.toContain("SORT");
    expect(docs).toBeLessThanOrEqual(MAX_READ);
    expect(keys).toBeLessThanOrEqual(MAX_READ + 2);
  });

  test("[JOB-42] finds running jobs without reading the others, and reads only the requested days", async () => {
    expect((await examined({ state: "running" })).docs).toBeLessThanOrEqual(1);
    expect((await page(accountId, { state: "running,reserved" })).jobs.map(({ prompt }) => prompt)).toEqual([
      "2999",
    ]);
    const old = { since: "2026-02-28T00:00:00Z", until: "2026-02-28T12:00:00Z" };
    // Ids and times may differ by an hour on each side.
    expect((await examined({ ...old, limit: 100 })).docs).toBeLessThanOrEqual(MAX_READ);
    expect((await page(accountId, { since: "2026-03-01T11:50:00Z" }, 100)).jobs).toHaveLength(11);
    const { jobs: day } = await page(accountId, { until: "2026-02-27T10:03:00Z" }, 200);
    expect(day.map(({ prompt }) => prompt).at(-1)).toBe("2999");
  });
});
