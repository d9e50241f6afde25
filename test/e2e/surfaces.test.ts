// One request through each surface: REST, both tool endpoints, and gRPC for a signed-in person.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../proto/caller.ts";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import {
  findBrokenEntry,
  ledgerEntrySchema,
  type LedgerEntryResource,
} from "../../proto/resources/credits.ts";
import { jobSchema, type JobResource } from "../../proto/resources/job.ts";
import { createMember } from "../core/shop/memberships/members.ts";
import { callTool } from "../mcp/messages.ts";
import { createCustomer } from "../support/app.ts";
import { PICTURE } from "../support/http-calls.ts";
import { allOf, createScriptedProvider } from "../support/providers.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

const FAILS = "the provider refuses this";
const CREDITS = 100;

let service: WholeService;
beforeAll(async () => {
  const provider = createScriptedProvider({
    answer: (request) => {
      const { prompt } = request;
      if (prompt === FAILS) throw new Error("no");
      return allOf(request);
    },
  });
  // The worker starts when every first job has been cancelled.
  service = await startWholeService({ provider, worker: false });
});
afterAll(() => service.close());

type Surface = {
  source: "api" | "mcp" | "member" | "app";
  hasKey: boolean;
  generate(prompt: string): Promise<string>;
  cancel(jobId: string): Promise<unknown>;
  end(jobId: string): Promise<JobResource>;
  ledger(): Promise<LedgerEntryResource[]>;
};

async function overRest(): Promise<Surface> {
  const { key } = await createCustomer(service.app, { credits: CREDITS });
  return {
    source: "api",
    hasKey: true,
    generate: async (prompt) =>
      (await service.generate(key, { prompt, params: { count: 2 } })).body.result.job_id,
    cancel: (jobId) => service.call(`/api/jobs/${jobId}/cancel`, { key, method: "POST" }),
    end: (jobId) => service.waitForEnd(key, jobId),
    ledger: () => service.ledger(key),
  };
}

async function overMcp(): Promise<Surface> {
  const { key } = await createCustomer(service.app, { credits: CREDITS });
  return {
    source: "mcp",
    hasKey: true,
    generate: async (prompt) => {
      const args = { ...PICTURE, prompt, params: { count: 2 } };
      const { structuredContent } = await service.tool(key, "connect_generate", args);
      return structuredContent?.job_id ?? "";
    },
    cancel: (jobId) => service.call(`/api/jobs/${jobId}/cancel`, { key, method: "POST" }),
    end: (jobId) => service.waitForEnd(key, jobId),
    ledger: () => service.ledger(key),
  };
}

/** Whole jobs and ledger, because tools return fewer fields. */
function toldByCore(caller: Caller): Pick<Surface, "end" | "ledger"> {
  const { jobs, credits } = service.core;
  return {
    end: async (jobId) =>
      fromMessage(
        jobSchema,
        await jobs.GetJob({ job_id: jobId, wait_seconds: 20 }, { caller, deadlineMs: 30_000 }),
      ),
    ledger: async () =>
      fromMessages(ledgerEntrySchema, (await credits.ListLedger({ limit: 50 }, { caller })).entries),
  };
}

async function overMemberTools(): Promise<Surface> {
  const { key, caller } = await createMember(service, service.core, { credits: CREDITS });
  const tool = async <T>(name: string, args: object): Promise<T> => {
    const { body } = await service.call<{ result: { structuredContent: T } }>("/api/member/mcp", {
      key,
      method: "POST",
      body: callTool(name, args),
    });
    return body.result.structuredContent;
  };
  return {
    source: "member",
    hasKey: true,
    generate: async (prompt) => {
      const args = { ...PICTURE, prompt, params: { count: 2 } };
      return (await tool<{ job_id: string }>("connect_generate", args)).job_id;
    },
    cancel: (jobId) => service.core.jobs.CancelJob({ job_id: jobId }, { caller }),
    ...toldByCore(caller),
  };
}

async function overGrpc(): Promise<Surface> {
  const { accountId } = await createCustomer(service.app, { credits: CREDITS });
  const caller: Caller = { kind: "account", accountId, source: "app" };
  const { jobs } = service.core;
  return {
    source: "app",
    hasKey: false,
    generate: async (prompt) => {
      const request = { ...PICTURE, prompt, params_json: '{"count":2}' };
      return (await jobs.Generate(request, { caller })).job_id;
    },
    cancel: (jobId) => jobs.CancelJob({ job_id: jobId }, { caller }),
    ...toldByCore(caller),
  };
}

/** Removes what may differ between two surfaces: ids, times, hashes and the source. */
function comparable(entries: readonly LedgerEntryResource[]) {
  return entries.map(({ entry_id, job_id, key_id, created_at, prev_hash, hash, source, ...same }) => ({
    ...same,
    ofJob: job_id !== null,
    settles: /_(reserve|debit|return)$/.exec(entry_id)?.[1],
    types: [entry_id, created_at, prev_hash, hash, source].map((value) => typeof value),
    keyed: key_id !== null,
  }));
}

describe("equal requests through REST, the tool endpoints and the website", () => {
  const ledgers = new Map<string, LedgerEntryResource[]>();
  const jobs = new Map<string, JobResource[]>();
  let surfaces: Surface[];

  beforeAll(async () => {
    surfaces = [await overRest(), await overMcp(), await overMemberTools(), await overGrpc()];
    const cancelled = await Promise.all(surfaces.map(({ generate }) => generate("one to cancel")));
    await Promise.all(surfaces.map(({ cancel }, i) => cancel(cancelled[i] ?? "")));
    service.startWorker();
    await Promise.all(
      surfaces.map(async ({ source, generate, end, ledger }, i) => {
        const made = [await end(cancelled[i] ?? "")];
        // In sequence, so that the entries have one order everywhere.
        for (const prompt of ["one that works", FAILS]) made.push(await end(await generate(prompt)));
        jobs.set(source, made);
        ledgers.set(source, await ledger());
      }),
    );
  });

  test("[GEN-05] [LED-01] write ledger entries that differ only in ids, times, hashes and source", () => {
    const api = ledgers.get("api") ?? [];
    expect(api.map(({ kind }) => kind).reverse()).toEqual([
      "grant",
      "reserve",
      "release",
      "reserve",
      "debit",
      "reserve",
      "debit",
      "refund",
    ]);
    expect(comparable(ledgers.get("mcp") ?? [])).toEqual(comparable(api));
    expect(comparable(ledgers.get("member") ?? [])).toEqual(comparable(api));
    // A signed-in person uses no key; other entries name it.
    const signedIn = comparable(ledgers.get("app") ?? []).map(
      ({ keyed, ...same }) => (expect(keyed).toBe(false), same),
    );
    expect(signedIn).toEqual(comparable(api).map(({ keyed: _, ...same }) => same));
    expect(Object.keys(ledgers.get("app")?.[0] ?? {})).toEqual(Object.keys(api[0] ?? {}));
  });

  test.each(["api", "mcp", "member", "app"] as const)(
    "[LED-05] record the source %s in every entry of a job",
    (source) => {
      const entries = ledgers.get(source) ?? [];
      const ofJobs = entries.filter(({ job_id }) => job_id !== null);
      expect(ofJobs).toHaveLength(7);
      expect(new Set(ofJobs.map((entry) => entry.source))).toEqual(new Set([source]));
      expect(
        ofJobs.every(({ key_id }) => (source === "app" ? key_id === null : key_id?.startsWith("key_"))),
      ).toBe(true);
      expect(entries.at(-1)).toMatchObject({ kind: "grant", source: "system", job_id: null, key_id: null });
    },
  );

  test("cost the same and leave the same balance", () => {
    for (const { source } of surfaces) {
      expect(ledgers.get(source)?.[0]).toMatchObject({ seq: 8, balance_after: CREDITS - 20, held_after: 0 });
      expect(findBrokenEntry([...(ledgers.get(source) ?? [])].reverse())).toBeUndefined();
    }
  });

  test("make jobs that differ only in ids, times and source", () => {
    const told = (source: string) =>
      jobs.get(source)?.map(({ state, modality, model_slug, prompt, params, metadata, error, ...job }) => ({
        state,
        modality,
        model_slug,
        prompt,
        params,
        metadata,
        error,
        credits: [job.credits_reserved, job.credits_charged],
        events: job.events.map(({ seq, type, state: after, detail }) => [
          seq,
          type,
          after,
          Object.keys(detail),
        ]),
        outputs: job.outputs.map(({ mime_type, bytes, sha256 }) => ({ mime_type, bytes, sha256 })),
      }));
    expect(told("api")?.map(({ state }) => state)).toEqual(["cancelled", "completed", "failed"]);
    expect(told("mcp")).toEqual(told("api"));
    expect(told("member")).toEqual(told("api"));
    expect(told("app")).toEqual(told("api"));
    for (const { source } of surfaces)
      expect(jobs.get(source)?.map((job) => job.source)).toEqual(Array(3).fill(source));
  });

  test("keep the audit clean", async () => {
    expect(await service.audit()).toEqual([]);
    expect(service.errors).toEqual([]);
  });
});
