// npm run upgrade-test [-- REF]: the release before (or REF) as a cluster under load, upgraded to this one as the docs tell it: migrate, then
// replace one process after the other. Ends with 1 when a single call of a client failed, or the books are wrong afterwards.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CACHE_DIR } from "../runtime/mongod/binary-cache.ts";
import { keepNewFilesPrivate } from "../runtime/process/private-folder.ts";
import { type Cluster, planAgain, startCluster } from "./testbed/cluster.ts";
import { createCustomers } from "./testbed/customers.ts";
import { findPrograms } from "./testbed/programs.ts";
import { checkOut, loadCode, previousRelease } from "./testbed/release.ts";
import { CUSTOMERS, printTable, runTrial, trust, TRY_SETTINGS } from "./testbed/try.ts";
import { withApp } from "./testbed/with-app.ts";
import { upgradeTo } from "./testbed/upgrade.ts";

keepNewFilesPrivate();
const say = (line: string) => console.error(line);
const [ref = previousRelease()] = process.argv.slice(2);
mkdirSync(CACHE_DIR, { recursive: true });
const folder = mkdtempSync(join(CACHE_DIR, "upgrade-"));
const options = { programs: await findPrograms(say), folder, port: 0, say, settings: TRY_SETTINGS };
let cluster: Cluster | undefined;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(1));
try {
  const root = checkOut(ref, say);
  cluster = await startCluster({ ...options, root });
  trust(cluster);
  const { url } = cluster;
  // Made by the code of that release, as its operators have made them.
  const code = await loadCode(root);
  const customers = await withApp(
    cluster,
    async ({ app }) => {
      await code.seedDevelopment(app, undefined);
      return createCustomers(app, url, CUSTOMERS, code);
    },
    code,
  );
  const { line, passed } = await runTrial(cluster, upgradeTo(await planAgain(options)), customers);
  printTable([line]);
  await end(passed ? 0 : 1);
} catch (error) {
  say(`upgrade-test: ${(error as Error).message}`);
  await end(1);
}

async function end(code: number): Promise<never> {
  await cluster?.end();
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
