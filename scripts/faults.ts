// npm run faults [-- WORD…]: applies each fault (or those whose name contains one of the words) to its own service under steady load, and
// prints what clients saw as a table, like bench/RESULTS.md. Exits with 1 if a job was lost or doubled, or the audit has findings. With
// --defaults the replica set has MongoDB's own settings except the election timeout, which shows the cost of a frozen primary.
import { parseArgs } from "node:util";
import { runCommand } from "./testbed/command.ts";
import { FAULT_JOBS, openFaultService } from "./testbed/fault-service.ts";
import { FAULTS } from "./testbed/faults.ts";
import { runTrials, selected } from "./testbed/trial.ts";

/** About twenty requests a second, which the smallest machine can serve: recovery is measured, not throughput. */
const PACE = { clients: 8, pauseMs: 400 };

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { defaults: { type: "boolean", default: false } },
});
await runCommand("faults", async (atEnd) => {
  const service = await openFaultService(atEnd, values.defaults);
  const faults = selected(FAULTS, words).filter(({ needs }) => needs !== "balancer");
  return (await runTrials(service, faults, { pace: PACE, ...FAULT_JOBS })) ? 0 : 1;
});
