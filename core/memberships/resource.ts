// A licence as its owner sees it.
import type { LicenceResource } from "../../proto/resources/membership.ts";
import type { LicenceDoc } from "./store.ts";

export function toLicence(licence: LicenceDoc): LicenceResource {
  return {
    licence_id: licence._id,
    product_id: licence.product_id,
    product_slug: licence.product_slug,
    product_name: licence.product_name,
    kind: licence.kind,
    source: licence.source,
    status: licence.revoked_at ? "revoked" : "active",
    granted_at: licence.granted_at.toISOString(),
    revoked_at: licence.revoked_at?.toISOString() ?? null,
  };
}
