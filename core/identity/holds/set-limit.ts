// Sets how many credits an internal service may hold in a calendar month.
import { AppError, type Issue } from "../../../proto/codes.ts";
import { isForeignServiceName } from "../../../runtime/config/service-names.ts";
import type { App } from "../../kernel/app.ts";
import { monthOf, spentIn } from "../accounts/rules.ts";
import { MAX_HOLD_CREDITS } from "./rules.ts";
import { putServiceLimit } from "./store.ts";

/** Takes effect on the next hold; what the service held this month counts. Returns what it held. Throws invalid_request. */
export async function setServiceLimit(app: App, name: string, credits: number): Promise<{ used: number }> {
  const issues: Issue[] = [];
  if (!isForeignServiceName(name))
    issues.push({
      path: "name",
      message: "must be the name of an internal service, not of the service's own processes",
    });
  if (!Number.isSafeInteger(credits) || credits < 0 || credits > MAX_HOLD_CREDITS)
    issues.push({ path: "max_credits", message: `must be a whole number from 0 to ${MAX_HOLD_CREDITS}` });
  if (issues.length > 0) throw new AppError("invalid_request", { issues });
  const { spent } = await putServiceLimit(app.mongo.db, name, credits);
  return { used: spentIn(monthOf(app.clock.now()), spent) };
}
