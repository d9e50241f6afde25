// The threads of the embedded provider: limits, crashes and cancellation.
import { afterEach, describe, expect, test } from "vitest";
import { createPicturePool, type PicturePool } from "../../../../core/adapters/providers/local/pool.ts";
import { createLog } from "../../../../runtime/log/log.ts";

const log = createLog("silent", "test");
const never = new AbortController().signal;
const order = (prompt: string) => ({ modality: "image", model: "canvas", prompt, params: {} }) as const;

let pool: PicturePool | undefined;

function start(maxQueued = 10): PicturePool {
  pool = createPicturePool({ threads: 1, maxQueued, log, entry: new URL("bad-thread.ts", import.meta.url) });
  return pool;
}

afterEach(() => pool?.close());

test("a thread that crashes fails its own job as retryable and is replaced for the next", async () => {
  const { run } = start();
  const jobs = ["fine", "crash", "fine", "crash", "fine"].map((prompt) =>
    run(order(prompt), never, () => {}),
  );
  const settled = await Promise.allSettled(jobs);
  const failed = settled.map(({ status }) => status === "rejected");
  expect(failed).toEqual([false, true, false, true, false]);
  expect(settled[1]).toMatchObject({ reason: { failure: "provider_unavailable", retryable: true } });
});

describe("a cancelled job of the pool", () => {
  test("rejects immediately with the signal's reason, and a thread that does not stop is ended", async () => {
    const { run } = start();
    const reason = new Error("deadline");
    const [first, second] = [new AbortController(), new AbortController()];
    const stuck = run(order("stuck"), first.signal, () => {});
    const waiting = run(order("stuck"), second.signal, () => {});
    second.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    first.abort(reason);
    await expect(stuck).rejects.toBe(reason);
    // The only thread hangs, so this result comes from a new thread.
    expect(await run(order("fine"), never, () => {})).toHaveLength(1);
  });

  test("does not start when its signal was already aborted", async () => {
    const { run } = start();
    await expect(run(order("stuck"), AbortSignal.abort("gone"), () => {})).rejects.toBe("gone");
  });

  test("leaves its thread to the next jobs", async () => {
    pool = createPicturePool({ threads: 1, maxQueued: 10, log });
    const { run } = pool;
    const controller = new AbortController();
    const params = { duration_seconds: 10, width: 640, height: 360 };
    const video = { modality: "video", model: "motion", prompt: "sea", params } as const;
    const long = run(video, controller.signal, () => controller.abort("enough"));
    const small = run({ ...order("a stone"), params: { width: 64, height: 64 } }, never, () => {});
    await expect(long).rejects.toBe("enough");
    expect(await small).toMatchObject([{ mimeType: "image/png", width: 64, height: 64 }]);
  });
});

describe("the queue of the pool", () => {
  test("refuses jobs above its limit as retryable", async () => {
    const { run } = start(2);
    const controller = new AbortController();
    const kept = [1, 2, 3].map(() => run(order("stuck"), controller.signal, () => {}));
    await expect(run(order("stuck"), never, () => {})).rejects.toMatchObject({
      failure: "provider_unavailable",
      retryable: true,
      retryAfterMs: 1000,
    });
    controller.abort("done");
    expect((await Promise.allSettled(kept)).every(({ status }) => status === "rejected")).toBe(true);
  });

  test("fails all waiting jobs as retryable when the pool closes", async () => {
    const { run, close } = start();
    const jobs = [1, 2, 3].map(() => run(order("stuck"), never, () => {}));
    const settled = Promise.allSettled(jobs);
    await close();
    for (const job of await settled)
      expect(job).toMatchObject({
        status: "rejected",
        reason: { failure: "provider_unavailable", retryable: true },
      });
    await expect(run(order("stuck"), never, () => {})).rejects.toMatchObject({
      failure: "provider_unavailable",
    });
  });
});
