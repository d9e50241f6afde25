// Whether accounts may use a product now, for other slices.
import type { App } from "../../kernel/app.ts";
import { isLive } from "./rules.ts";
import { findHolders, findLicencesOf, type LicenceDoc } from "./store.ts";

/** A live licence of the product, of whichever kind; the oldest. */
export async function findLiveLicence(
  app: Pick<App, "mongo">,
  accountId: string,
  productId: string,
): Promise<LicenceDoc | undefined> {
  return (await findLicencesOf(app.mongo.db, { accountId, productId })).find(isLive);
}

/** Those of the accounts that have a live licence of the product. */
export async function licenceHolders(
  { mongo }: Pick<App, "mongo">,
  productId: string,
  accountIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return accountIds.length === 0 ? new Set() : findHolders(mongo.db, { productId, accountIds });
}
