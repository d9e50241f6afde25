// How the tests run: on one mongod that test/support/global-setup.ts starts for all of them.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { THOROUGH, USUAL } from "./test/support/sizes.ts";
import { SpreadLong } from "./test/support/spread-long.ts";

/** Files that leave nothing behind in their process, which therefore runs many of them: it loads what they test once. */
const SHARED = ["test/{cli,core,edge,gateway,mcp,proto,rules,site,e2e}/**/*.test.ts"];

/** Own processes: tests start servers, send signals and load native modules. Bounds that only a hang reaches, so that a busy machine fails nothing. */
const COMMON = {
  pool: "forks",
  // What Node has compiled for one file or process, all that come after take from there.
  env: { NODE_COMPILE_CACHE: fileURLToPath(new URL(".cache/compiled", import.meta.url)) },
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
} as const;

export default defineConfig(({ mode }) => ({
  test: {
    provide: mode === "thorough" ? THOROUGH : USUAL,
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
