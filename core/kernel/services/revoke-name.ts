// Refuses an internal service from now on, whatever tokens it still holds.
import { AppError } from "../../../proto/codes.ts";
import { isForeignServiceName } from "../../../runtime/config/service-names.ts";
import type { App } from "../app.ts";
import { insertRevokedName } from "./store.ts";

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
