// A test's catalog behind a fake core: its products, its state, and its messages.
import { AppError } from "../../proto/codes.ts";
import type { CatalogState } from "../../proto/types/atelier/v1/CatalogState.ts";
import type { FakeCore } from "../support/fake-core.ts";
import { waitFor } from "../support/wait-for.ts";

export type FakeCatalog = {
  /** Sends a new state to the gateway; omitted fields stay. */
  tell(change: Partial<CatalogState>): void;
  /** Sets how far core's time is ahead of this machine's; sent with the next state. */
  setAhead(ms: number): void;
  /** Sends nothing more until `tell`. */
  fallSilent(): void;
  /** Ends the stream; it can be opened again. */
  hangUp(): void;
  /** Calls other than the stream, since the start or `forget`. */
  asked(): { method: string; request: Record<string, unknown> }[];
  forget(): void;
};

const REPEAT_MS = 100;

/** Answers WatchCatalog, starting with revision "e.1". */
export function fakeCatalog({ calls, answer }: FakeCore): FakeCatalog {
  let state: CatalogState = {
    version: 1,
    revision: "e.1",
    next_edge_at: "",
    fresh: true,
    products: 1,
    now: "",
  };
  /** How far core's time is ahead of this machine's. */
  let aheadMs = 0;
  let isSilent = false;
  let wake = Promise.withResolvers<"go" | "end">();
  const signal = (word: "go" | "end") => {
    wake.resolve(word);
    wake = Promise.withResolvers();
  };
  answer("catalog.WatchCatalog", async function* (_request, { signal: stop }) {
    while (!stop?.aborted) {
      if (!isSilent) yield { ...state, now: new Date(Date.now() + aheadMs).toISOString() };
      let timer: NodeJS.Timeout | undefined;
      const later = new Promise<"go">((resolve) => {
        timer = setTimeout(() => resolve("go"), REPEAT_MS);
      });
      const word = await Promise.race([wake.promise, later]);
      clearTimeout(timer);
      if (word === "end") return;
    }
  });
  const asked = () => calls.filter(({ method }) => method !== "catalog.WatchCatalog");
  return {
    tell: (change) => {
      state = { ...state, ...change };
      isSilent = false;
      signal("go");
    },
    setAhead: (ms) => {
      aheadMs = ms;
    },
    fallSilent: () => {
      isSilent = true;
      signal("go");
    },
    hangUp: () => {
      isSilent = true;
      signal("end");
    },
    asked,
    forget: () => {
      calls.splice(0);
    },
  };
}

/** Core knows only this product. */
export function knowProduct(
  { answer }: Pick<FakeCore, "answer">,
  product: { slug: string; name: string; category: string; subcategory: string } | undefined,
): void {
  const facts = { id: "", status: "published", plus_only: false, tags: [], rating_count: 0 };
  answer("catalog.GetProduct", ({ slug }) => {
    if (!product || slug !== product.slug) throw new AppError("product_not_found");
    return {
      body: Buffer.from("{}"),
      revision: "e.1",
      version: 1,
      expires_at: "",
      product: { ...facts, updated_at: "", url: "", ...product },
    };
  });
}

/** Requests until a response comes without core, so that the next ones test the cache. */
export async function untilCached(catalog: FakeCatalog, ask: () => Promise<unknown>): Promise<void> {
  await waitFor("an answer from the cache", async () => {
    catalog.forget();
    await ask();
    return catalog.asked().length === 0;
  });
}
