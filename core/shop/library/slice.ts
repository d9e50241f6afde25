// The parts of the library that processes need.
import { mapPage } from "../../kernel/page.ts";
import type { Slice } from "../../kernel/slice.ts";
import { listDownloads } from "./list-downloads.ts";
import { toDownload } from "./resource.ts";
import { libraryHandlers } from "./rpc.ts";
import { deleteDownloads, LIBRARY_COLLECTIONS } from "./store.ts";

export const librarySlice: Slice = {
  name: "shop/library",
  collections: LIBRARY_COLLECTIONS,
  serve: (app) => ({ Library: libraryHandlers(app) }),
  owned: {
    export: {
      lists: {
        downloads: async (app, accountId, page) =>
          mapPage(await listDownloads(app, accountId, page), toDownload),
      },
    },
    erase: { closing: (app, { accountId }, tx) => deleteDownloads(app.mongo.db, accountId, tx) },
  },
};
