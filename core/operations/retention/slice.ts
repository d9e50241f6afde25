// What a process needs to know about retention.
import type { Slice } from "../../kernel/slice.ts";
import { archiveOld } from "./archive-old.ts";

export const retentionSlice: Slice = {
  name: "operations/retention",
  loops: [{ what: "archive what ended long ago", everyMs: 60_000, step: archiveOld }],
};
