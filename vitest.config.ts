import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // Own processes: tests start servers, send signals and load native modules.
    pool: "forks",
    // More would only make them wait for the one mongod of the run.
    maxWorkers: 2,
    // Bounds that only a hang reaches, so that a busy machine fails nothing.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
  },
});
