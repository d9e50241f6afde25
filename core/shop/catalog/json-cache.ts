// Finished JSON of products by their slot in the index, with a limit in bytes. A small catalog fits as a whole. Of a large one it holds
// what has changed since the index was built and what was read from the database; everything else comes from the compressed texts, once
// they exist.
import { fromText, type ProductJson } from "./product-json.ts";
import { findText, type ProductTexts } from "./product-texts.ts";

export type JsonCache = {
  get(slot: number): ProductJson | undefined;
  set(slot: number, json: ProductJson): void;
  delete(slot: number): void;
  /** Provides the texts for the slots that the index was built with, whose products have these versions. */
  useTexts(texts: ProductTexts, versions: Uint32Array): void;
};

/** The size of an entry in addition to its text. */
const ENTRY_BYTES = 120;

export function createJsonCache(maxBytes: number): JsonCache {
  // Ordered by last use when space is short: the first one is dropped first.
  const entries = new Map<number, ProductJson>();
  let bytes = 0;
  let findCompressed: (slot: number) => ProductJson | undefined = () => undefined;

  function remove(slot: number, json: ProductJson): void {
    entries.delete(slot);
    bytes -= sizeOf(json);
  }

  return {
    get: (slot) => {
      const json = entries.get(slot);
      if (!json) return findCompressed(slot);
      if (bytes > maxBytes / 2) {
        entries.delete(slot);
        entries.set(slot, json);
      }
      return json;
    },
    set: (slot, json) => {
      const before = entries.get(slot);
      if (before) remove(slot, before);
      entries.set(slot, json);
      bytes += sizeOf(json);
      for (const [oldest, old] of entries) {
        if (bytes <= maxBytes) break;
        remove(oldest, old);
      }
    },
    delete: (slot) => {
      const json = entries.get(slot);
      if (json) remove(slot, json);
    },
    useTexts: (texts, versions) => {
      findCompressed = (slot) => {
        const text = findText(texts, slot);
        return text === undefined ? undefined : fromText(text, versions[slot] ?? 0);
      };
    },
  };
}

/** Text outside Latin-1 takes two bytes per character, so this is a lower limit; names and descriptions are mostly Latin-1. */
function sizeOf({ regular, onSale }: ProductJson): number {
  return ENTRY_BYTES + regular.length + (onSale?.json.length ?? 0);
}
