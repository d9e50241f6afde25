// How the tests run: on one mongod that test/support/global-setup.ts starts for all of them.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SpreadLong } from "./test/support/spread-long.ts";

/** Files that leave nothing behind in their process, which therefore runs many of them: it loads what they test once. */
const SHARED = ["test/{core,edge,gateway,mcp,proto,rules}/**/*.test.ts"];

/** Own processes: tests start servers, send signals and load native modules. Bounds that only a hang reaches, so that a busy machine fails nothing. */
const COMMON = {
  pool: "forks",
  // What Node has compiled for one file or process, all that come after take from there.
  env: { NODE_COMPILE_CACHE: fileURLToPath(new URL(".cache/compiled", import.meta.url)) },
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const;

export default defineConfig(({ mode }) => ({
  test: {
    // So often the shop is killed, so long workers are, and under so many jobs, so often keys lose their rights, so often cancelling races completing, so many files are broken, and so many lives archived, and under so many workflows all is killed:
    // `npm test -- test/faults/shop-killed.test.ts --mode thorough` is the long way. `npm run browse` is that of the pages, `npm run samples` that of the samples.
    provide:
      mode === "thorough"
        ? {
            shopKills: 200,
            workKills: 200,
            orderRaces: 200,
            revocations: 100,
            refundPlans: 40,
            callSeconds: 300,
            killedJobs: 200,
            killedWorkflows: 1_000,
            cancelRaces: 510,
            cancelledJobs: 300,
            brokenFiles: 10_000,
            brokenSignedFiles: 1_000,
            archivedLives: 60,
            pages: "all",
            allProcesses: true,
            wholeCluster: true,
            buildsTools: true,
            destroys: true,
            officialHost: true,
            goSamples: true,
          }
        : {
            shopKills: 20,
            workKills: 4,
            orderRaces: 40,
            revocations: 2,
            refundPlans: 3,
            callSeconds: 8,
            killedJobs: 20,
            killedWorkflows: 0,
            cancelRaces: 60,
            cancelledJobs: 90,
            brokenFiles: 300,
            brokenSignedFiles: 60,
            archivedLives: 3,
            pages: "main",
            allProcesses: false,
            wholeCluster: false,
            buildsTools: false,
            destroys: false,
            officialHost: false,
            goSamples: false,
          },
    projects: [
      { test: { ...COMMON, name: "shared", include: SHARED, isolate: false } },
      { test: { ...COMMON, name: "own", include: ["test/**/*.test.ts"], exclude: SHARED } },
    ],
    globalSetup: ["test/support/global-setup.ts"],
    // Some wait for clocks and processes most of their time; more would only make them wait for the one mongod of the run.
    maxWorkers: 3,
    sequence: { sequencer: SpreadLong },
    // The report is what .ci/run counts.
    reporters: ["default", ["json", { outputFile: ".cache/test-results.json" }]],
    teardownTimeout: 30_000,
  },
}));
