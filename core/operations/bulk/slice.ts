// What a process needs to know about bulks.
import type { Slice } from "../../kernel/slice.ts";
import { BULK_COLLECTIONS } from "./store.ts";

export const bulkSlice: Slice = { name: "operations/bulk", collections: BULK_COLLECTIONS };
