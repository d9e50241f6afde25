// Whether an account may use a product now, for other slices.
import type { App } from "../../kernel/app.ts";
import { isLive } from "./rules.ts";
import { findLicencesOf, type LicenceDoc } from "./store.ts";

/** A live licence of the product, of whichever kind; the oldest. */
export async function findLiveLicence(
  app: Pick<App, "mongo">,
  accountId: string,
  productId: string,
): Promise<LicenceDoc | undefined> {
  return (await findLicencesOf(app.mongo.db, { accountId, productId })).find(isLive);
}
