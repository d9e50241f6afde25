// The order of test files: large ones first, with those that mostly wait for processes and clocks spread between them, in sequence.
// Together they would slow each other's processes down, and at the end no other file would be left to run next to them.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** About the number of files that two of the three workers finish while one of these runs. */
const APART = 12;

const LONG = [
  "faults/disk-full",
  "runtime/start",
  "faults/rolling-restart",
  "faults/freeze",
  "core/adapters/payments/stripe-mock",
  "faults/order-races",
  "runtime/mongod",
  "faults/core-and-database-lost",
  "core/base/migrations/entries",
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
