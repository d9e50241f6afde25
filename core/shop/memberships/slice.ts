// The parts of memberships that processes need.
import { shownFields } from "../../base/documents/fields.ts";
import { mapPage } from "../../kernel/page.ts";
import type { Slice } from "../../kernel/slice.ts";
import { listLicences } from "./licences.ts";
import { membershipsHandlers } from "./rpc.ts";
import { deleteLicences, LICENCE_FIELDS, MEMBERSHIP_COLLECTIONS } from "./store.ts";
import { seedTiers } from "./tiers.ts";

export const membershipsSlice: Slice = {
  name: "shop/memberships",
  collections: MEMBERSHIP_COLLECTIONS,
  seed: seedTiers,
  serve: (app) => ({ Memberships: membershipsHandlers(app) }),
  owned: {
    export: {
      lists: {
        licences: async (app, accountId, page) =>
          mapPage(await listLicences(app, accountId, page), (one) => ({
            licence_id: one._id,
            ...shownFields(one, LICENCE_FIELDS),
          })),
      },
    },
    erase: { closing: (app, { accountId }, tx) => deleteLicences(app.mongo.db, accountId, tx) },
  },
};
