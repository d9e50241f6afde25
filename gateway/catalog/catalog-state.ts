// The state of the catalog, as core keeps reporting it: it decides whether a cached page is still right.
import type { CoreClient } from "../../proto/client.ts";
import type { CatalogState as ToldState } from "../../proto/types/atelier/v1/CatalogState.ts";
import { createService, type ServiceOptions } from "../../runtime/service.ts";

/** Core speaks at least twice as often; a longer silence means that it may be gone. */
const SILENCE_MS = 1_000;
/** A stream silent for this long is replaced by a new one, which may find another core. */
const STUCK_MS = 3_000;
const RETRY_MS = 250;

export type CatalogState = {
  /** Changes whenever any public answer may have changed. */
  readonly revision: string;
  /** When it will change by time alone; Infinity for never. */
  readonly nextEdgeMs: number;
  /** By core's time: when this process first received it. The changes that it distinguishes were no later. */
  readonly sinceMs: number;
};

export type CatalogStates = {
  /** The current state; undefined while no one vouches for one, and core must be asked each time. */
  current(): CatalogState | undefined;
  /** Core's time, by which sales start and end: the last value from core, advanced since. */
  nowMs(): number;
  stop(): Promise<void>;
};

/** A larger difference between core's known clock and what it now says is not just delay. */
const CLOCK_SET_MS = 1_000;
/** How far two clocks may drift apart from one message to the next. */
const DRIFT_MS = 1;

/**
 * What core is ahead by, after one more message. A message that was under way for long says too little, never too much; what was known
 * counts, but for what the clocks may have drifted, unless core's clock was set or another core answers.
 */
function learnAhead(knownMs: number, saidMs: number): number {
  return Math.abs(knownMs - saidMs) > CLOCK_SET_MS ? saidMs : Math.max(knownMs - DRIFT_MS, saidMs);
}

/** Follows core's stream until it is stopped. `onChange` is called with each new revision. */
export function followCatalog(
  core: CoreClient,
  { log, onChange }: { log: ServiceOptions["log"]; onChange: () => void },
): CatalogStates {
  let state: CatalogState | undefined;
  let revision = "";
  let sinceMs = 0;
  let heardAtMs = Number.NEGATIVE_INFINITY;
  /** How far core's time is ahead of this process's monotonic clock; until core has sent it, this machine's own time is used. */
  let aheadMs = Date.now() - performance.now();
  let isTold = false;
  const nowMs = () => performance.now() + aheadMs;

  function hear(told: ToldState): void {
    heardAtMs = performance.now();
    const toldMs = Date.parse(told.now);
    if (Number.isFinite(toldMs)) {
      aheadMs = isTold ? learnAhead(aheadMs, toldMs - heardAtMs) : toldMs - heardAtMs;
      isTold = true;
    }
    const nextEdgeMs = told.next_edge_at === "" ? Number.POSITIVE_INFINITY : Date.parse(told.next_edge_at);
    const isNew = told.revision !== revision;
    if (isNew) sinceMs = nowMs();
    state = told.fresh ? { revision: told.revision, nextEdgeMs, sinceMs } : undefined;
    if (!isNew) return;
    revision = told.revision;
    onChange();
  }

  let stream = { abort: new AbortController(), sinceMs: 0 };
  const service = createService({ log, isOutage: () => true });
  // Without core's state every page is requested from core.
  service.loop(
    "hear the state of the catalog from core",
    async (stopping, goesWell) => {
      // Until then its port refuses connections.
      await core.started;
      stream = { abort: new AbortController(), sinceMs: performance.now() };
      const signal = AbortSignal.any([stopping, stream.abort.signal]);
      for await (const told of core.catalog.WatchCatalog({}, { signal })) {
        hear(told);
        goesWell();
      }
      return RETRY_MS;
    },
    RETRY_MS,
  );
  service.every(SILENCE_MS, "drop a silent stream", () => {
    if (performance.now() - Math.max(stream.sinceMs, heardAtMs) > STUCK_MS)
      stream.abort.abort(new Error("core says nothing"));
  });
  service.start();

  return {
    current: () =>
      state && performance.now() - heardAtMs < SILENCE_MS && nowMs() < state.nextEdgeMs ? state : undefined,
    nowMs,
    stop: service.stop,
  };
}
