// What a dry run is asked for, and what it finds.
import { AppError } from "../../../proto/codes.ts";
import type { Act } from "./acts.ts";
import type { BulkDoc, Item } from "./store.ts";

/** Things of one bulk. */
export const MAX_ITEMS = 50_000;
/** Those that a dry run names. */
export const SAMPLE = 5;

/** As it comes: an empty text stands for what was not given. */
export type AskedBulk = {
  readonly act: string;
  readonly ids: readonly string[];
  readonly account: string;
  readonly state: string;
  readonly model: string;
  readonly provider: string;
  readonly code: string;
  readonly host: string;
  readonly since: string;
  readonly until: string;
};

export type Meant = {
  readonly act: Act;
  readonly items: readonly Item[];
  /** The account that was named, by its id: what is kept names no address. Empty where none was. */
  readonly account: string;
  /** The states that were taken because none was named. */
  readonly usual: string;
  readonly planned: BulkDoc["planned"];
};

export function tooMany(things: string): AppError {
  return new AppError("invalid_request", {
    message: `More than ${MAX_ITEMS} ${things} are meant.`,
    issues: [{ path: "", message: `means more than ${MAX_ITEMS} ${things}` }],
    hint: "Name a shorter time, one account, or less of them in another way, and do the rest after that.",
  });
}
