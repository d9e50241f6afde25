// The order of the files: large ones first, as the runner has it, with those that mostly wait for processes and clocks in between, one after
// the other. Together they would keep each other's processes from running, and at the end nothing would be left to run beside them.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** About as many files as two others of the three workers come through while one of these runs. */
const APART = 12;

const LONG = [
  "faults/disk-full",
  "runtime/start",
  "faults/rolling-restart",
  "faults/freeze",
  "core/adapters/payments/stripe-mock",
  "faults/order-races",
  "runtime/mongod",
  "faults/worker-lost",
  "faults/core-and-database-lost",
  "core/base/migrations/entries",
  "faults/calls-killed",
  "faults/clocks",
].map((name) => `/test/${name}.test.ts`);

export class SpreadLong extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((end) => moduleId.endsWith(end));
    const order = sorted.filter((file) => !isLong(file));
    const long = LONG.flatMap((end) => sorted.filter(({ moduleId }) => moduleId.endsWith(end)));
    for (const [i, file] of long.entries()) order.splice(i * APART, 0, file);
    return order;
  }
}
