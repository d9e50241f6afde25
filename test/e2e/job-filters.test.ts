// Filters of the job list have the same names on every surface.
import { beforeAll, expect, test } from "vitest";
import type { JobResource } from "../../proto/resources/job.ts";
import { callTool } from "../mcp/messages.ts";
import { createCustomer } from "../support/app.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";

let key: string;
let accountId: string;
const service = sharedByTests(() => startWholeService({ worker: false }));
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
