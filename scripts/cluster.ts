// `npm run cluster`: the topology of deploy/compose.yaml as processes on this machine, without containers. Prints the processes and runs
// until Ctrl-C; `-- --then CMD` runs a command against it and exits with its code, `-- try [WORD…]` tries it, `-- rotate [WORD…]` rotates its
// secrets, and `--without caddy,redis` ignores these programs. See docs/operations/cluster.md.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Cluster, openCluster } from "./testbed/cluster.ts";
import { runCommand } from "./testbed/command.ts";
import { FAULTS } from "./testbed/faults.ts";
import { NOT_ROTATED, ROTATIONS } from "./testbed/rotations.ts";
import { runAgainst, runDemo } from "./testbed/run-against.ts";
import { runTrials, selected, TRIAL_SETTINGS } from "./testbed/trial.ts";
import { seedCluster } from "./testbed/with-app.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // oxlint-disable-next-line unicorn/no-thenable -- the name of an option
    then: { type: "string" },
    folder: { type: "string" },
    port: { type: "string", default: "0" },
    without: { type: "string", default: "" },
  },
});
const [verb, ...words] = positionals;
if (process.platform !== "linux")
  fail("The cluster gives each process an address of its own in 127.0.0.0/8, which only Linux has.");
if (verb !== undefined && verb !== "try" && verb !== "rotate")
  fail(`npm run cluster knows "try" and "rotate", not "${verb}".`);

await runCommand(
  "cluster",
  async (atEnd) => {
    const cluster = await openCluster(atEnd, {
      ...(values.folder !== undefined && { folder: resolve(values.folder) }),
      port: Number(values.port),
      without: values.without.split(","),
      settings: verb !== undefined ? TRIAL_SETTINGS : {},
    });
    console.log(table(cluster, await seedCluster(cluster)));
    return stay(cluster);
  },
  0,
);

/** Runs until it should end. Returns the exit code. */
async function stay(running: Cluster): Promise<number> {
  if (verb === "try") return tryFaults(running);
  if (verb === "rotate") return rotateSecrets(running);
  if (values.then !== undefined) return runAgainst(running, values.then);
  return new Promise(() => {});
}

/** Words select from the demo and the faults that need no links. */
async function tryFaults(running: Cluster): Promise<number> {
  const hasDemo = words.length === 0 || words.includes("demo");
  const isGood = !hasDemo || (await runDemo(running)) === 0;
  const faults = selected(FAULTS, words).filter(({ needs }) => needs !== "links");
  return (await runTrials(running, faults, { pace: "mixed" })) && isGood ? 0 : 1;
}

/** Words select secrets. */
async function rotateSecrets(running: Cluster): Promise<number> {
  const isGood = await runTrials(running, selected(ROTATIONS, words), { pace: "mixed" });
  console.log(`\nnot rotated: ${NOT_ROTATED}`);
  return isGood ? 0 : 1;
}

function table({ url, folder: where, ca, plan, members }: Cluster, signInUrl: string): string {
  const lines = members.map(
    ({ part, process: { pid } }) => `  ${part.name.padEnd(13)} ${String(pid).padStart(8)}  ${part.address}`,
  );
  return [
    `  ${"what".padEnd(13)} ${"pid".padStart(8)}  where`,
    ...lines,
    ...plan.jobs.map(({ name }) => `  ${name.padEnd(13)}           ran`),
    ...plan.done.map((name) => `  ${name.padEnd(13)}           done by the start itself`),
    ...plan.leftOut.map(({ service, why }) => `  ${service.padEnd(13)}           left out: ${why}`),
    "",
    `  website  ${url}`,
    `  sign in  ${signInUrl}`,
    `  files    ${where} (secrets, logs, demo.json)`,
    "",
    "Clients on this machine:",
    `  NODE_EXTRA_CA_CERTS=${ca} ATELIER_DATA_DIR=${where} npm run demo`,
    "",
    "Ctrl-C ends it.",
  ].join("\n");
}

function fail(line: string): never {
  console.error(line);
  process.exit(2);
}
