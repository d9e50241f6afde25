// The short form of `npm run faults`: frozen and silent parts are replaced, and no request is lost or doubled. Figures of all faults:
// bench/RESULTS.md.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Cluster } from "../../scripts/testbed/cluster.ts";
import { collectUndos } from "../../scripts/testbed/command.ts";
import { FAULT_JOBS, openFaultService } from "../../scripts/testbed/fault-service.ts";
import { FAULTS } from "../../scripts/testbed/faults.ts";
import { runTrial } from "../../scripts/testbed/trial.ts";

const OPTIONS = { ...FAULT_JOBS, pace: { clients: 4, pauseMs: 300 }, beforeMs: 0, afterMs: 0 };

let service: Cluster;
const { atEnd, undoAll } = collectUndos();
beforeAll(async () => {
  service = await openFaultService(atEnd);
});
afterAll(undoAll);

test.each(["primary frozen", "gateway → core half-open"])(
  "%s: requests are accepted again during the fault, every accepted one is one completed job, and the audit is clean",
  async (name) => {
    const fault = FAULTS.find((one) => one.name.startsWith(name));
    if (!fault) throw new Error(`there is no fault ${name}`);
    const report = await runTrial(service, { ...fault, lastsMs: "accepted" }, OPTIONS);
    expect(report.wrong).toEqual([]);
    // It was accepted during the fault; how soon depends on the machine.
    expect(report.acceptedDuringFault).toBeGreaterThan(0);
    expect(report.calls["rest"]).toBeGreaterThan(0);
  },
);
