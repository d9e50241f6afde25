// Sends a call of core again that was lost on the way, because the core that had it has ended or its connection has: only calls that may be
// made twice, and only while there is time.
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceError } from "@grpc/grpc-js";
import { IdempotencyLevel, type MethodDefinition } from "@grpc/proto-loader";
import { isLostOnTheWay } from "./errors.ts";

const MAX_TRIES = 3;
/** Long enough for the connection to be known as lost, so that the next try goes to another core. */
const PAUSE_MS = 100;

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
  untilMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      const isOver = signal?.aborted || Date.now() + PAUSE_MS >= untilMs;
      if (tries === MAX_TRIES || isOver || !isLostOnTheWay(error as ServiceError)) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
