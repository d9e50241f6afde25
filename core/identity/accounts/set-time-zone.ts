// Stores the time zone of an account's mails.
import { AppError } from "../../../proto/codes.ts";
import { isTimeZone } from "../../../runtime/local-times.ts";
import type { App } from "../../kernel/app.ts";
import { saveTimeZone } from "./store.ts";

const MAX_LENGTH = 64;

/** An IANA name. Throws invalid_request. */
export async function setTimeZone(app: App, accountId: string, timeZone: string): Promise<void> {
  if (timeZone.length > MAX_LENGTH || !isTimeZone(timeZone))
    throw new AppError("invalid_request", {
      issues: [{ path: "time_zone", message: "must be the name of a time zone, such as Europe/Berlin" }],
    });
  await saveTimeZone(app.mongo.db, accountId, timeZone);
}
