// What a process needs to know of uploads.
import { shownFields } from "../../base/documents/fields.ts";
import type { App } from "../../kernel/app.ts";
import { mapPage } from "../../kernel/page.ts";
import type { Slice } from "../../kernel/slice.ts";
import { forgetUploads, listUploads } from "./own-uploads.ts";
import { uploadsHandlers } from "./rpc.ts";
import { UPLOAD_COLLECTIONS, UPLOAD_FIELDS } from "./store.ts";

export const uploadsSlice: Slice<App, { uploads: Parameters<typeof uploadsHandlers>[1] }> = {
  name: "studio/uploads",
  collections: UPLOAD_COLLECTIONS,
  serve: (app, { uploads }) => ({ Uploads: uploadsHandlers(app, uploads) }),
  owned: {
    export: {
      lists: {
        uploads: async (app, accountId, page) =>
          mapPage(await listUploads(app, accountId, page), (one) => ({
            upload_id: one._id,
            ...shownFields(one, UPLOAD_FIELDS),
          })),
      },
    },
    erase: {
      onceIdle: async (app, accountId) => {
        await forgetUploads(app, accountId);
        return true;
      },
    },
  },
};
