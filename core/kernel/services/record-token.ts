// Checks, before a token is signed for another internal service, that its name is not refused.
import { AppError } from "../../../proto/codes.ts";
import { isForeignServiceName } from "../../../runtime/config/service-names.ts";
import type { App } from "../app.ts";
import { findRevokedNames } from "./store.ts";

/** Throws invalid_request for a name that is revoked, or that no issued token can have. */
export async function checkTokenName(app: App, name: string): Promise<void> {
  const refuse = (message: string) =>
    new AppError("invalid_request", { issues: [{ path: "name", message }] });
  if (!isForeignServiceName(name))
    throw refuse(
      "must have lower-case letters, digits and hyphens, and be none of the service's own processes",
    );
  const revoked = await findRevokedNames(app.mongo.db);
  if (revoked.includes(name))
    throw refuse(
      `${name} is revoked, so core would refuse the token; a service that comes back needs another name`,
    );
}
