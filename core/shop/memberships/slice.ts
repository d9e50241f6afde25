// What a process needs to know of memberships.
import { mapPage } from "../../kernel/page.ts";
import type { Slice } from "../../kernel/slice.ts";
import { listLicences } from "./list-licences.ts";
import { membershipsHandlers } from "./rpc.ts";
import { seedTiers } from "./seed-tiers.ts";
import { deleteLicences, MEMBERSHIP_COLLECTIONS } from "./store.ts";

export const membershipsSlice: Slice = {
  name: "shop/memberships",
  collections: MEMBERSHIP_COLLECTIONS,
  seed: seedTiers,
  serve: (app) => ({ Memberships: membershipsHandlers(app) }),
  owned: {
    export: {
      lists: {
        licences: async (app, accountId, page) =>
          mapPage(await listLicences(app, accountId, page), ({ _id, account_id: _account, ...licence }) => ({
            licence_id: _id,
            ...licence,
          })),
      },
    },
    erase: { closing: (app, { accountId }, session) => deleteLicences(app.mongo.db, accountId, session) },
  },
};
