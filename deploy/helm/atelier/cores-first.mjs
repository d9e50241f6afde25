// Before a worker, gateway or mcp: waits until every core that answers is of the same release, so that an upgrade replaces cores first.
//   node cores-first.mjs NAME_OF_ALL_CORES NAME_OF_THIS_RELEASE_S
import { lookup } from "node:dns/promises";
import { setTimeout as delay } from "node:timers/promises";

const [all, ours] = process.argv.slice(-2);
// A name without an address is not there yet.
const addressesOf = async (name) =>
  (await lookup(name, { all: true }).catch(() => [])).map(({ address }) => address);

for (;;) {
  const [every, own] = await Promise.all([addressesOf(all), addressesOf(ours)]);
  const older = every.filter((address) => !own.includes(address));
  if (own.length > 0 && older.length === 0) break;
  process.stdout.write(`waiting: ${own.length} cores of this release, ${older.length} of another\n`);
  await delay(2_000);
}
