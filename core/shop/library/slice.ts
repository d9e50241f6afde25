// The parts of the library that processes need.
import { shownFields } from "../../base/documents/fields.ts";
import { mapPage } from "../../kernel/page.ts";
import type { Slice } from "../../kernel/slice.ts";
import { listOwnAlerts, sendAlerts } from "./alerts.ts";
import { listDownloads } from "./list-library.ts";
import { toDownload } from "./resource.ts";
import { listOwnReviews, toReview } from "./reviews.ts";
import { libraryHandlers } from "./rpc.ts";
import { ALERT_FIELDS, ALERTS, deleteAlerts } from "./store-alerts.ts";
import { deleteReviews, REVIEWS } from "./store-reviews.ts";
import { deleteDownloads, LIBRARY_COLLECTIONS } from "./store.ts";

const ALERTS_MS = 5_000;

export const librarySlice: Slice = {
  name: "shop/library",
  collections: [...LIBRARY_COLLECTIONS, REVIEWS, ALERTS],
  serve: (app) => ({ Library: libraryHandlers(app) }),
  owned: {
    export: {
      lists: {
        downloads: async (app, accountId, page) =>
          mapPage(await listDownloads(app, accountId, page), toDownload),
        reviews: async (app, accountId, page) =>
          mapPage(await listOwnReviews(app, accountId, page), (one) => ({
            ...toReview(one),
            product_id: one.product_id,
          })),
        product_alerts: async (app, accountId, page) =>
          mapPage(await listOwnAlerts(app, accountId, page), (one) => shownFields(one, ALERT_FIELDS)),
      },
    },
    erase: {
      closing: async ({ mongo }, { accountId }, tx) => {
        await deleteDownloads(mongo.db, accountId, tx);
        await deleteAlerts(mongo.db, accountId, tx);
      },
      // From the closing on, no review is shown.
      afterClosing: ({ mongo }, accountId) => deleteReviews(mongo.db, accountId),
    },
  },
  loops: [{ what: "mail about products on sale", everyMs: ALERTS_MS, drain: (app) => sendAlerts(app) }],
};
