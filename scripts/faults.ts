// npm run faults [-- WORD…]: strikes a service of its own with each fault (those whose name has one of the words) under steady load, and
// prints what its clients saw as the table of docs/reliability.md. Ends with code 1 when a job was lost or doubled, or the books are wrong.
// With --defaults the replica set has MongoDB's own settings, but for the time of elections: what a frozen primary costs without ours.
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { SET_SETTINGS } from "../core/operations/checkup/fail-over-rules.ts";
import { FAULTS } from "./testbed/faults.ts";
import { type Report, runFault } from "./testbed/run-fault.ts";
import { openStage } from "./testbed/stage.ts";

/** About twenty requests a second, which the smallest machine bears: what is measured is how soon it goes on, not how much it does. */
const LOAD = { clients: 8, pauseMs: 400 };

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { defaults: { type: "boolean", default: false } },
});
const wanted = FAULTS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));

const { electionTimeoutMillis } = SET_SETTINGS;
const stage = await openStage(values.defaults ? { settings: { electionTimeoutMillis }, parameters: {} } : {});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void stage.end().finally(() => process.exit(1)));
const reports: Report[] = [];
try {
  for (const fault of wanted) {
    console.error(`${reports.length + 1} of ${wanted.length}: ${fault.name}`);
    const report = await runFault(stage, fault, LOAD);
    reports.push(report);
    console.error(line(report));
    console.error(rates(report));
    for (const wrong of report.wrong) console.error(`  WRONG: ${wrong}`);
  }
} finally {
  await stage.end();
}
console.log(
  [
    `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; ${LOAD.clients} clients, ${LOAD.pauseMs} ms between requests`,
    "",
    "| fault | requests | errors that clients saw | first accept, s | nine tenths of the rate before, s | first completed job, s | longest pause, s | taken over | afterwards |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...reports.map(line),
    "",
    "Accepted per 5 s, before the fault and from it on:",
    "",
    ...reports.map(rates),
  ].join("\n"),
);
// Connections of the measuring itself may still be open.
process.exit(reports.every(({ wrong }) => wrong.length === 0) ? 0 : 1);

function line(report: Report): string {
  const errors = Object.entries(report.errors).map(([status, count]) => `${count} × ${status}`);
  const seconds = (value: number | undefined) => value?.toFixed(1) ?? "none";
  const cells = [
    report.name,
    String(report.requests),
    errors.join(", ") || "none",
    seconds(report.firstAcceptSeconds),
    seconds(report.nineTenthsSeconds),
    seconds(report.firstCompletedSeconds),
    seconds(report.longestPauseSeconds),
    String(report.rescued),
    report.wrong.length === 0 ? "nothing lost, audit clean" : `${report.wrong.length} findings`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function rates({ name, beforePerSecond, acceptsPerFiveSeconds, offered }: Report): string {
  const found = `- ${name}: ${Math.round(beforePerSecond * 5)}, then ${acceptsPerFiveSeconds.join(", ")}`;
  if (!offered) return found;
  const gone = offered.backlogGoneSeconds?.toFixed(1) ?? "never";
  return `${found}; of ${offered.perSecond.toFixed(0)} a second offered, ${Math.round(offered.acceptedPart * 100)} % accepted from 8 s on; no backlog after ${gone} s; 99 of 100 accepted within ${offered.p99Seconds.toFixed(1)} s`;
}
