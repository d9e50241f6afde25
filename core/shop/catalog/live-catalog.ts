// The catalog as this core knows it: it builds the index, keeps it current from the change stream, and hands it out only while it can be
// sure that nothing older than a second is missing.
import { EventEmitter, once } from "node:events";
import { AppError } from "../../../proto/codes.ts";
import { publicUrls } from "../../../runtime/public-urls.ts";
import { createService } from "../../../runtime/service.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import type { App } from "../../kernel/app.ts";
import { createCurrentView } from "./current-view.ts";
import { followCatalog } from "./follow-catalog.ts";
import { FollowLost } from "./follow-changes.ts";
import { createFreshness } from "./freshness.ts";
import type { SnapshotApp } from "./snapshot.ts";
import type { View } from "./view.ts";

/** How long a question waits for the proof that the view is fresh before it is refused. */
const DEADLINE_MS = 500;
const UNAVAILABLE_RETRY_SECONDS = 1;
/** How long core's start waits for the first build; a large one continues afterwards. */
const START_DEADLINE_MS = 5_000;

type CatalogState = {
  readonly version: number;
  readonly revision: string;
  readonly nextEdgeMs: number;
  readonly fresh: boolean;
  readonly products: number;
};

export type LiveCatalog = {
  /** The current view. Ask for it before awaiting anything else. Throws catalog_unavailable. */
  current(): Promise<View>;
  /** Resolves when the view is no longer `view`, or after the time. */
  newer(view: View, timeoutMs: number): Promise<void>;
  state(): CatalogState;
  /** Resolves when the view changes, on abort, or after the time. */
  changed(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Whether there was a first build. */
  isBuilt(): boolean;
  /** Aborted when core stops. */
  readonly stopped: AbortSignal;
  /** To be called once. Resolves when the first build is ready or takes too long. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

type CatalogOptions = {
  /** From this number of products on, the index is built in a thread and stored as a snapshot; tests use fewer. */
  readonly largeFrom?: number;
};

/** `baseUrl` is the public site's address, without a trailing slash. */
function createLiveCatalog(
  app: SnapshotApp & Pick<App, "ownDatabase">,
  baseUrl: string,
  { largeFrom }: CatalogOptions = {},
): LiveCatalog {
  const signals = new EventEmitter<{ changed: [] }>();
  // There is one listener for each watching gateway and each waiting question.
  signals.setMaxListeners(0);
  const freshness = createFreshness(app);
  const current = createCurrentView({
    clock: app.clock,
    baseUrl,
    onShown: (view) => {
      freshness.note(view);
      signals.emit("changed");
    },
  });
  const service = createService({
    log: app.log,
    isOutage: (error) => error instanceof FollowLost || isDatabaseAway(error),
  });
  service.loop("follow the catalog", (signal, goesWell) =>
    followCatalog({ app, baseUrl, largeFrom, current, freshness }, signal, goesWell),
  );

  async function changed(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const until = AbortSignal.any([signal, service.signal, AbortSignal.timeout(timeoutMs)]);
    await once(signals, "changed", { signal: until }).catch(() => {});
  }

  return {
    current: async () => {
      if ((!current.get() || !freshness.isFresh()) && !(await freshness.wait(DEADLINE_MS)))
        throw unavailable();
      const view = current.get();
      if (!view) throw unavailable();
      return view;
    },
    newer: async (seen, timeoutMs) => {
      if (current.get()?.generation === seen.generation) await changed(timeoutMs, service.signal);
    },
    state: () => {
      const view = current.get();
      if (!view) return { version: 0, revision: "", nextEdgeMs: Infinity, fresh: false, products: 0 };
      const { lastMs, nextMs } = current.edgesOf(view);
      return {
        version: view.version,
        revision: revisionOf(view, lastMs),
        nextEdgeMs: nextMs,
        fresh: freshness.isFresh(),
        products: view.index.productCount,
      };
    },
    changed,
    isBuilt: () => current.get() !== undefined,
    stopped: service.signal,
    start: async () => {
      service.start();
      if (!current.get()) await changed(START_DEADLINE_MS, service.signal);
    },
    stop: async () => {
      await Promise.all([freshness.stop(), service.stop()]);
    },
  };
}

export function unavailable(): AppError {
  return new AppError("catalog_unavailable", { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
}

/** Equal at all cores that know the same products between the same edges of sales. */
function revisionOf({ epoch, version }: View, lastEdgeMs: number): string {
  return Number.isFinite(lastEdgeMs)
    ? `${epoch}.${version}.${lastEdgeMs.toString(36)}`
    : `${epoch}.${version}`;
}

/** Common parts of the public catalog's use cases. */
export type Catalog = {
  readonly app: SnapshotApp;
  readonly live: LiveCatalog;
  /** The address of the public site, without a trailing slash. */
  readonly baseUrl: string;
  /** Without payments, only free products can be bought. */
  readonly takesPayments: boolean;
};

/** It is empty before `live.start()`. */
export function createCatalog(
  app: SnapshotApp & Pick<App, "ownDatabase" | "config" | "payments">,
  options: CatalogOptions = {},
): Catalog {
  const { baseUrl } = publicUrls(app.config);
  const takesPayments = app.payments.current !== undefined;
  return { app, live: createLiveCatalog(app, baseUrl, options), baseUrl, takesPayments };
}
