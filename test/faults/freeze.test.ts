// The short form of `npm run faults`: what is frozen or silent, not dead, is given up for what works, and no request is lost or doubled.
// The figures of all faults: docs/reliability.md.
import { afterAll, beforeAll, expect, test } from "vitest";
import { FAULTS } from "../../scripts/testbed/faults.ts";
import { runFault } from "../../scripts/testbed/run-fault.ts";
import { openStage, type Stage } from "../../scripts/testbed/stage.ts";

const LOAD = { clients: 4, pauseMs: 300 };

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage.end(), 60_000);

test.each(["primary frozen", "gateway → core half-open"])(
  "%s: accepted again while it lasts, every accepted request is one job that completes, and the audit is clean",
  async (name) => {
    const fault = FAULTS.find((one) => one.name.startsWith(name));
    if (!fault) throw new Error(`there is no fault ${name}`);
    const report = await runFault(stage, { ...fault, lastsMs: "accepted" }, LOAD);
    expect(report.wrong).toEqual([]);
    // That it was accepted while the fault lasted, not how soon: the machine may be busy.
    expect(report.acceptedDuringFault).toBeGreaterThan(0);
    expect(report.requests).toBeGreaterThan(0);
  },
  300_000,
);
