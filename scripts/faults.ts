// npm run faults [-- WORD…]: strikes a service of its own with each fault (those whose name contains one of the words) under steady load, and
// prints what its clients saw as a table, like those of bench/RESULTS.md. Exits with 1 if a job was lost or doubled, or the books are wrong.
// With --defaults the replica set has MongoDB's own settings, but for the time of elections: what a frozen primary costs without ours.
import { parseArgs } from "node:util";
import { FAULT_JOBS, startFaultService } from "./testbed/fault-service.ts";
import { FAULTS } from "./testbed/faults.ts";
import { runTrials, selected } from "./testbed/trial.ts";

/** About twenty requests a second, which the smallest machine bears: how soon it goes on is measured, not how much it does. */
const PACE = { clients: 8, pauseMs: 400 };

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { defaults: { type: "boolean", default: false } },
});
const faults = selected(FAULTS, words).filter(({ needs }) => needs !== "balancer");
const service = await startFaultService({ isDefault: values.defaults });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void service.end().finally(() => process.exit(1)));
let isGood = false;
try {
  isGood = await runTrials(service, faults, { pace: PACE, ...FAULT_JOBS });
} finally {
  await service.end();
}
// Connections of the measuring itself may still be open.
process.exit(isGood ? 0 : 1);
