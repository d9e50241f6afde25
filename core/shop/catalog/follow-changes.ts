// Follows the change stream of the catalog and gathers its events into steps, one for each version. A broken stream is resumed where it
// ended; if that is impossible, the follower must build a new view.
import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import type { App } from "../../kernel/app.ts";
import { loadNames } from "./build-index.ts";
import {
  type CatalogEvent,
  type CatalogStream,
  isHistoryLost,
  openCatalogStream,
  type ProductDoc,
  readPublicProductsNamed,
  type StreamPosition,
} from "./store.ts";
import type { Step } from "./view.ts";

const REOPEN_AFTER_MS = 100;
/** The number of consecutive failures with an available database after which the position itself is suspected. */
const MAX_FAILURES = 5;
/** The most products that may wait for their version. No write of the service has more, and a build is cheaper than collecting them. */
const MAX_PENDING = 50_000;

/** The stream cannot be resumed where it ended, or too much has changed for following to be worthwhile. */
export class FollowLost extends Error {
  override readonly name = "FollowLost";
}

export type Follower = {
  /** Opens the stream, which will bring everything that is committed from now on. */
  start(): Promise<void>;
  /** Passes each step to `onStep` without end. Rejects with FollowLost, or with the signal's reason. */
  run(onStep: (step: Step) => void): Promise<never>;
  /** Drops a connection that seems to be dead, and opens a new one. */
  reopen(): void;
  stop(): Promise<void>;
};

export function createFollower(app: Pick<App, "mongo" | "log">, signal: AbortSignal): Follower {
  const events = createEvents(app, signal);
  const gatherer = createGatherer(app);
  let first: Promise<CatalogEvent | null> | undefined;

  /** The read of what a rename affects is repeated until the database answers. */
  async function takeSurely(event: CatalogEvent): Promise<Step | undefined> {
    for (;;) {
      try {
        return await gatherer.take(event);
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        await delay(REOPEN_AFTER_MS, undefined, { signal });
      }
    }
  }

  return {
    start: async () => {
      first = events.next();
      // run() reports the error.
      first.catch(() => {});
      // The server begins the stream immediately, and holds its answer until something happens.
      await Promise.race([first, events.opened]);
    },
    run: async (onStep) => {
      for (;;) {
        const event = await (first ?? events.next());
        first = undefined;
        const step = event && (await takeSurely(event));
        if (step) onStep(step);
      }
    },
    reopen: () => void events.close(),
    stop: events.close,
  };
}

type Events = {
  next(): Promise<CatalogEvent | null>;
  /** Resolves once the first stream has begun. */
  readonly opened: Promise<void>;
  /** The position of the open stream; the next one is opened there. */
  close(): Promise<void>;
};

/** Yields events over as many streams as necessary. */
function createEvents(app: Pick<App, "mongo" | "log">, signal: AbortSignal): Events {
  let stream: CatalogStream | undefined;
  let position: StreamPosition | undefined;
  const { promise: opened, resolve: onOpen } = Promise.withResolvers<void>();

  async function close(): Promise<void> {
    await stream?.close().catch(() => {});
  }
  // Wakes the waiter for the stream's next answer.
  signal.addEventListener("abort", () => void close(), { once: true });

  return {
    opened,
    close,
    next: async () => {
      for (let failures = 0; ;) {
        signal.throwIfAborted();
        try {
          stream ??= openCatalogStream(app.mongo.db, position, onOpen);
          const event = await stream.next();
          position = stream.position() ?? position;
          return event;
        } catch (error) {
          signal.throwIfAborted();
          void close();
          stream = undefined;
          if (!isDatabaseAway(error)) failures++;
          if (!position || isHistoryLost(error) || failures >= MAX_FAILURES)
            throw new FollowLost("the change stream of the catalog cannot be resumed", {
              cause: error,
            });
          app.log.warn({ err: error }, "the change stream of the catalog broke; taking it up again");
          await delay(REOPEN_AFTER_MS, undefined, { signal });
        }
      }
    },
  };
}

type Gatherer = {
  /** Returns the step that the event completes, if any. After an error, the same event may be passed again. */
  take(event: CatalogEvent): Promise<Step | undefined>;
};

/** Holds changes back until their version has arrived. */
function createGatherer(app: Pick<App, "mongo">): Gatherer {
  const pending = new Map<string, ProductDoc>();
  const renamed = { categories: new Set<string>(), tags: new Set<string>() };
  let version = -1;

  /** What carries a new name, as of a version, with the names. */
  async function readRenamed(upTo: number): Promise<Pick<Step, "products" | "names">> {
    if (renamed.categories.size + renamed.tags.size === 0) return { products: [] };
    const names = await loadNames(app);
    const named = { categories: [...renamed.categories], tags: [...renamed.tags] };
    const products: ProductDoc[] = [];
    for await (const product of readPublicProductsNamed(app.mongo.db, named)) {
      // Later changes come with their own events.
      if ((product.catalog_version ?? 0) <= upTo) products.push(product);
    }
    renamed.categories.clear();
    renamed.tags.clear();
    return { products, names };
  }

  async function complete(upTo: number): Promise<Step> {
    const read = await readRenamed(upTo);
    const products = new Map(read.products.map((product) => [product._id, product]));
    for (const [id, product] of pending) {
      if ((product.catalog_version ?? 0) > upTo) continue;
      products.set(id, product);
      pending.delete(id);
    }
    return { ...read, version: upTo, deletedIds: [], products: [...products.values()] };
  }

  return {
    take: async (event) => {
      switch (event.kind) {
        case "product": {
          const { product } = event;
          // It was never public, so it concerns no one.
          if (product.catalog_version === null) return undefined;
          pending.set(product._id, product);
          if (pending.size > MAX_PENDING) throw new FollowLost("too many products changed at the same time");
          // It follows its version only if several shards took part in one write.
          return product.catalog_version <= version ? complete(version) : undefined;
        }
        case "deleted":
          pending.delete(event.id);
          return { version, products: [], deletedIds: [event.id] };
        case "category":
          renamed.categories.add(event.slug);
          return undefined;
        case "tag":
          renamed.tags.add(event.slug);
          return undefined;
        case "version":
          version = event.version;
          return complete(version);
      }
    },
  };
}
