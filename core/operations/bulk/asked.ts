// The request for a dry run, and its result.
import { AppError } from "../../../proto/codes.ts";
import type { Act } from "./acts.ts";
import type { BulkDoc, Item } from "./store.ts";

/** The most things of one bulk. */
export const MAX_ITEMS = 50_000;
/** The things that a dry run names. */
export const SAMPLE = 5;

/** The request as it arrives: an empty text stands for what was not given. */
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
  /** The id of the account that was named, because addresses are not stored. Empty if none was named. */
  readonly account: string;
  /** The states that were used because none was named. */
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
