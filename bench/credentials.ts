// The cost of signing: the time for one file of each format, and jobs with a small picture end to end, with signing on and off in turn in
// the same run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Provider, ProviderOutput } from "../core/adapters/providers/provider.ts";
import { createContentCredentials } from "../core/kernel/content-credentials/credentials.ts";
import { signOutputs } from "../core/kernel/outputs/sign-outputs.ts";
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import type { JobsApp } from "../core/studio/jobs/local-dispatch.ts";
import type { Caller } from "../proto/caller.ts";
import { filesOfAllKinds } from "../test/core/kernel/content-credentials/fixtures.ts";
import { compareLoads, drive, type Load, ms, printTable, quantile, rate } from "./support/stats.ts";
import { auditInWords, driveEndToEnd } from "./support/whole-lives.ts";
import { createCustomers, onBenchApp } from "./support/world.ts";

const FILES = 200;
const IN_PARALLEL = 16;
const ROUNDS = 3;
const ROUND_MS = 5_000;
const CALLERS = 64;
const ACCOUNTS = 1_000;
const MODES = ["on", "off"] as const;

export async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "atelier-bench-credentials-"));
  try {
    const files = await filesOfAllKinds();
    await onBenchApp("credentials", async (app) => {
      const [on, off] = MODES.map((mode) => withSigning(app, { dataDir, mode, files }));
      if (!on || !off) throw new Error("there are two modes");
      await byFormat(on, files);
      await byMode([on, off], await createCustomers(app, ACCOUNTS));
      await Promise.all([on, off].map(({ credentials }) => credentials.close()));
      console.log(await auditInWords(app));
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Setup = { dataDir: string; mode: (typeof MODES)[number]; files: readonly ProviderOutput[] };

/** The app with signing on or off, whose instant provider returns a picture that can be signed. */
function withSigning(app: JobsApp, { dataDir, mode, files }: Setup): JobsApp {
  const config = { ...app.config, dataDir, contentCredentials: mode };
  const drawn: Provider = { name: "instant", safeToRepeat: true, start: async () => files.slice(0, 1) };
  const credentials = createContentCredentials(config, { log: app.log });
  return { ...app, config, credentials, providers: new Map([["instant", drawn]]) };
}

async function byFormat(app: JobsApp, files: readonly ProviderOutput[]): Promise<void> {
  const made = {
    jobId: "job_bench",
    modelSlug: "instant",
    entryId: "led_bench_debit",
    entryHash: async () => "0".repeat(64),
    inputs: new Map(),
  };
  const { signal } = new AbortController();
  const rows: string[][] = [];
  for (const file of files) {
    const bytes: number[] = [];
    const sign = async (): Promise<void> => {
      const [signed] = await signOutputs(app, made, [file], signal);
      if (signed?.contentCredentials !== "signed") throw new Error(`${file.mimeType} was not signed`);
      bytes.push(signed.bytes.length - file.bytes.length);
    };
    const load = (callers: number): Promise<Load> => drive(callers, Number.POSITIVE_INFINITY, sign, FILES);
    await load(1);
    const [alone, together] = [await load(1), await load(IN_PARALLEL)];
    rows.push([
      file.mimeType,
      ms(alone.p50Ms),
      ms(alone.p99Ms),
      rate(together.perSecond),
      rate(quantile(bytes, 0.5)),
    ]);
  }
  console.log(
    `Signing ${FILES} small files of each format: one after the other, and ${IN_PARALLEL} at a time`,
  );
  printTable(["", "p50 ms", "p99 ms", "files/s together", "bytes more"], rows);
}

async function byMode(apps: readonly JobsApp[], callers: readonly Caller[]): Promise<void> {
  const load = { callers: CALLERS, forMs: ROUND_MS };
  console.log(
    `\nWhole lives of jobs that make one small PNG, ${CALLERS} callers; median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s, by turns`,
  );
  await compareLoads(
    apps.map((app) => [
      app.credentials.mode,
      () => driveEndToEnd(app, createAcceptQueue(app), callers, load),
    ]),
    ROUNDS,
    { of: "signing", unit: "jobs/s" },
  );
}
