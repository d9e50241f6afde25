// Revokes a licence, for example after a refund.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { type LicenceDoc, markLicenceRevoked } from "./store.ts";

/** Doing so twice is no error and changes nothing. Throws not_found. */
export async function revokeLicence(app: App, licenceId: string): Promise<LicenceDoc> {
  const licence = await markLicenceRevoked(app.mongo.db, licenceId, app.clock.now());
  if (licence) return licence;
  throw new AppError("not_found", {
    message: "There is no such licence.",
    hint: "Use a licence_id from the list of licences.",
  });
}
