// The order of the test files. What is known of a file that never ran is its size, and tests that wait for processes and clocks are short to
// read and long to run: begun last, one of them keeps the run going alone for a minute.
import { BaseSequencer, type TestSpecification } from "vitest/node";

const LONG = /\/test\/(faults|runtime)\//;

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
