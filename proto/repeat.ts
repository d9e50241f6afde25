// Sends a unary call of core again that was lost on the way, because the core that had it has ended or its connection has: only calls that may be
// made twice, and only while there is time. A read is sent again too where core says that it is away for a moment.
import { setTimeout as sleep } from "node:timers/promises";
import { type ServiceError, status } from "@grpc/grpc-js";
import { IdempotencyLevel, type MethodDefinition } from "@grpc/proto-loader";
import { isLostOnTheWay } from "./errors.ts";

/**
 * Before each further try. The first is long enough for the connection to be known as lost, so that the next try goes to another core, and both
 * together are for a core that is connected to again.
 */
const PAUSES_MS = [100, 400];

/** Whether the proto says that the method changes nothing. */
export function changesNothing({ options }: Pick<MethodDefinition<object, object>, "options">): boolean {
  return options?.idempotency_level === IdempotencyLevel.NO_SIDE_EFFECTS;
}

/** What changes nothing, and what core does once for each Idempotency-Key. */
export function mayRepeat(method: MethodDefinition<object, object>, request: object): boolean {
  return changesNothing(method) || ("idempotency_key" in request && Boolean(request.idempotency_key));
}

/** `send` is tried until it is answered, by whatever core says; throws the last status where it never is. */
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
      // Core says that it is away after waiting for its database. Another try waits as long, and must not turn the answer into a deadline.
      const endsAtMs = isLost ? againAtMs : againAtMs + (Date.now() - sentAtMs);
      if (signal?.aborted || endsAtMs >= untilMs || !(isLost || isAway)) throw error;
    }
    await sleep(pauseMs);
  }
  return send();
}
