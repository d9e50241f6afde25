// Tells a gateway about every new state of the catalog, so that it knows how long it may keep a page.
import type { CatalogStateInput } from "../../../proto/types/atelier/v1/CatalogState.ts";
import { timeOrNone } from "./list-products.ts";
import type { Catalog } from "./live-catalog.ts";

/** A reader that hears nothing for a second considers core gone; two messages in a second allow for one to be late. */
const REPEAT_MS = 400;
/** The clock may be read a moment before the edge that it waited for. */
const MIN_WAIT_MS = 5;

export async function* watchCatalog(
  { app, live }: Pick<Catalog, "app" | "live">,
  signal: AbortSignal,
): AsyncGenerator<CatalogStateInput> {
  while (!signal.aborted && !live.stopped.aborted) {
    const { version, revision, nextEdgeMs, fresh, products } = live.state();
    const now = app.clock.now();
    yield {
      version,
      revision,
      next_edge_at: timeOrNone(nextEdgeMs),
      fresh,
      products,
      now: now.toISOString(),
    };
    const untilEdgeMs = nextEdgeMs - app.clock.now().getTime();
    await live.changed(Math.max(MIN_WAIT_MS, Math.min(REPEAT_MS, untilEdgeMs)), signal);
  }
}
