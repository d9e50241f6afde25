// Repeats a unary call that was lost because its core or its connection ended: only calls that may be made twice, and only while there is
// time. A read is also repeated if core says that it is unavailable for a moment.
import { setTimeout as sleep } from "node:timers/promises";
import { type ServiceError, status } from "@grpc/grpc-js";
import { IdempotencyLevel, type MethodDefinition } from "@grpc/proto-loader";
import { isLostOnTheWay } from "./errors.ts";

/**
 * The pauses before each further try. The first is long enough for the connection to be known as lost, so that the next try goes to another
 * core, and both together allow for a core that reconnects.
 */
const PAUSES_MS = [100, 400];

/** Whether the proto says that the method changes nothing. */
export function changesNothing({ options }: Pick<MethodDefinition<object, object>, "options">): boolean {
  return options?.idempotency_level === IdempotencyLevel.NO_SIDE_EFFECTS;
}

/** Methods that change nothing, and methods that core runs once for each Idempotency-Key. */
export function mayRepeat(method: MethodDefinition<object, object>, request: object): boolean {
  return changesNothing(method) || ("idempotency_key" in request && Boolean(request.idempotency_key));
}

/** Calls `send` until it is answered, whatever core says, and throws the last status if it never is. */
export async function untilAnswered<T>(
  send: () => Promise<T>,
  { isRead, untilMs, signal }: { isRead: boolean; untilMs: number; signal: AbortSignal | undefined },
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    const sentAtMs = Date.now();
    try {
      return await send();
    } catch (error) {
      const againAtMs = Date.now() + pauseMs;
      const isLost = isLostOnTheWay(error as ServiceError);
      const isAway = isRead && (error as ServiceError).code === status.UNAVAILABLE;
      // Core waited for its database before it said that it is unavailable. Another try would wait as long, and must not turn the answer
      // into a deadline.
      const endsAtMs = isLost ? againAtMs : againAtMs + (Date.now() - sentAtMs);
      if (signal?.aborted || endsAtMs >= untilMs || !(isLost || isAway)) throw error;
    }
    await sleep(pauseMs);
  }
  return send();
}
