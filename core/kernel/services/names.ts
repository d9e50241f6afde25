// The names of other internal services: a refused one gets no token, and its tokens are refused from then on.
import { AppError, invalidField } from "../../../proto/codes.ts";
import { isForeignServiceName } from "../../../runtime/config/service-names.ts";
import type { App } from "../app.ts";
import { findRevokedNames, insertRevokedName } from "./store.ts";

/** Throws invalid_request for a name that is revoked, or that no issued token can have. */
export async function checkTokenName(app: App, name: string): Promise<void> {
  const refuse = (message: string) => invalidField("name", message);
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

/** Revokes a name permanently; doing so twice is no error. Throws invalid_request for a name that no issued token can have. */
export async function revokeServiceName(app: App, name: string): Promise<void> {
  if (!isForeignServiceName(name)) {
    throw new AppError("invalid_request", {
      issues: [
        {
          path: "name",
          message:
            "must be the name of an issued service token; the service's own processes get a new key instead",
        },
      ],
    });
  }
  await insertRevokedName(app.mongo.db, name, app.clock.now());
}
