import { expect, test } from "vitest";
import { finalizeTogether } from "../../../../core/studio/runs/finalize-queue.ts";

test.each([
  { running: 1, hasBacklog: true, most: 256 },
  { running: 1_000, hasBacklog: true, most: 256 },
  { running: 0, hasBacklog: false, most: 32 },
  { running: 64, hasBacklog: false, most: 32 },
  { running: 65, hasBacklog: false, most: 33 },
  { running: 512, hasBacklog: false, most: 256 },
  { running: 1_000, hasBacklog: false, most: 256 },
])(
  "$running running jobs, with a backlog: $hasBacklog, give batches of at most $most",
  ({ running, hasBacklog, most }) => {
    expect(finalizeTogether({ running, hasBacklog })).toBe(most);
  },
);
