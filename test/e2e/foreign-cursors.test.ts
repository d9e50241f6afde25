// Cursors of another account or list: no foreign row is shown, and none causes a 5xx.
import { beforeAll, expect, test } from "vitest";
import type { JobResource } from "../../proto/resources/job.ts";
import { callTool } from "../mcp/messages.ts";
import { createCustomer } from "../support/app.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";

const ROWS = 5;

let ada: string;
let eve: string;
/** Each account's ids, which occur in the rows of any list. */
const owned = new Map<string, Set<string>>();

const service = sharedByTests(() => startWholeService({ worker: false }));
beforeAll(async () => {
  const made = [await createCustomer(service.app), await createCustomer(service.app)] as const;
  [ada, eve] = [made[0].key, made[1].key];
  for (const key of [ada, eve]) {
    for (let i = 0; i < ROWS; i++) {
      await service.generate(key);
      await service.call("/api/v1/connect/workflows", {
        key,
        method: "POST",
        body: {
          steps: ["one", "two"].map((id) => ({ id, modality: "image", model_slug: "picture", prompt: "a" })),
        },
      });
    }
  }
  for (const key of [ada, eve]) owned.set(key, new Set(await idsOf(key)));
});

const LISTS = ["/api/jobs", "/api/credits/ledger", "/api/workflows", "/api/callbacks"];

type Rows = { result: { next_cursor?: string } & Record<string, unknown> };

const list = (key: string, path: string, cursor: string | undefined) => {
  const query = new URLSearchParams({ limit: "2", ...(cursor && { cursor }) }).toString();
  return service.call<Rows>(`${path}?${query}`, { key });
};

/** Ids of jobs, workflows and ledger entries anywhere in a response. */
const idsIn = (body: unknown) => JSON.stringify(body).match(/\b(job|wfl|led)_[0-9A-Z]{10}\w*/g) ?? [];

async function idsOf(key: string): Promise<string[]> {
  const ids: string[] = [];
  for (const path of LISTS) ids.push(...idsIn((await service.call(`${path}?limit=100`, { key })).body));
  return ids;
}

/** The first cursor of each list that gives one. */
const cursors = new Map<string, string>();

test("a cursor of another account shows only the caller's own rows, or is refused by name", async () => {
  for (const path of LISTS) {
    const { status, body, text } = await list(ada, path, undefined);
    expect([path, status]).toEqual([path, 200]);
    const found = /"(?:next_)?cursor":"([^"]+)"/.exec(text)?.[1];
    if (found) cursors.set(path, found);
    expect(idsIn(body).every((id) => owned.get(ada)?.has(id))).toBe(true);
  }
  expect([...cursors.keys()]).toEqual(["/api/jobs", "/api/credits/ledger", "/api/workflows"]);
  const made = ["acc_1", "-1", "0", "9".repeat(400), "job_\u0000", "__proto__", "{}", "NaN"].map((text) =>
    Buffer.from(`c1:${text}`).toString("base64url"),
  );
  const theirs = owned.get(ada) ?? new Set();
  for (const path of LISTS) {
    for (const cursor of [...cursors.values(), ...made, "garbage", "%00"]) {
      const { status, body } = await list(eve, path, cursor);
      expect([200, 400], `${path} with ${cursor}`).toContain(status);
      expect(idsIn(body).filter((id) => theirs.has(id))).toEqual([]);
      if (status === 400) expect(JSON.stringify(body)).toContain("cursor");
    }
  }
  expect(service.errors).toEqual([]);
});

test("a cursor of another list is refused, because an empty page would look like the end", async () => {
  for (const path of LISTS) {
    for (const [other, cursor] of cursors) {
      if (other === path) continue;
      const { status, body } = await list(ada, path, cursor);
      expect([path, other, status]).toEqual([path, other, 400]);
      expect(body).toMatchObject({ code: "invalid_request", issues: [{ path: "cursor" }] });
    }
  }
});

// Filters of the job list have the same names on every surface.
let key: string;
let accountId: string;
beforeAll(async () => {
  ({ key, accountId } = await createCustomer(service.app));
  for (const order of ["7", "8", "9"]) await service.generate(key, { prompt: order, metadata: { order } });
  const { job_id } = (await service.generate(key, { prompt: "gone", metadata: { order: "7" } })).body.result;
  await service.call(`/api/jobs/${job_id}/cancel`, { key, method: "POST" });
});

async function rest(query: string): Promise<string[]> {
  const { body } = await service.call<{ result: { data: JobResource[] } }>(`/api/jobs?${query}`, { key });
  return body.result.data.map(({ prompt }) => prompt);
}

test.each([
  ["state=reserved", ["9", "8", "7"]],
  ["state=reserved,cancelled", ["gone", "9", "8", "7"]],
  ["state=cancelled&state=running", ["gone"]],
  ["model=picture&metadata[order]=7", ["gone", "7"]],
  ["metadata%5Border%5D=7&state=reserved", ["7"]],
  ["metadata[order]=7&metadata[shop]=1", []],
  ["since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z", []],
  ["since=2020-01-01T00:00:00%2B02:00&metadata[order]=9", ["9"]],
  ["model=nothing", []],
])("[JOB-40] jobs are filtered over REST: %s", async (query, prompts) => {
  expect(await rest(query)).toEqual(prompts);
});

test.each([
  ["metadata=7", "metadata"],
  ["metadata[order]=7&metadata[order]=8", "metadata.order"],
  [`metadata[${"x".repeat(65)}]=7`, `metadata.${"x".repeat(65)}`],
  ["state=reserved,done", "state"],
  ["since=monday", "since"],
])("REST names the error in %s", async (query, path) => {
  const { status, body } = await service.call<{ issues: unknown[] }>(`/api/jobs?${query}`, { key });
  expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path })]]);
});

test("[JOB-40] jobs are filtered over gRPC, as a tool, and by an operator", async () => {
  const asked = { state: "reserved,cancelled", model: "picture", metadata: { order: "7" } };
  const person = { caller: { kind: "account", accountId, source: "app" } } as const;
  const own = await service.core.jobs.ListJobs({ limit: 10, ...asked }, person);
  const any = await service.core.admin.ListAccountJobs({ account: accountId, limit: 10, ...asked });
  const init = { key, method: "POST", body: callTool("list_jobs", asked) };
  type Told = { result: { structuredContent: { jobs: JobResource[] } } };
  const tool = (await service.call<Told>("/api/mcp", init)).body.result.structuredContent;
  for (const { jobs } of [own, any, tool]) expect(jobs.map(({ prompt }) => prompt)).toEqual(["gone", "7"]);
});
