// Removes what people wrote from the archive of a deleted account: the files with words go, those with facts stay, and so does every hash.
import type { App } from "../app.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { letGo } from "../outputs/keep.ts";
import { findSegmentsWithWords, saveWordsErased } from "./store.ts";

/** Safe to repeat. From the moment at which a record says so, the next sweep of files removes the bytes. */
export async function forgetArchivedWords(app: App, accountId: string): Promise<void> {
  for (const { _id, words } of await findSegmentsWithWords(app.mongo.db, accountId))
    await inTx(app, async (tx) => {
      await saveWordsErased(app.mongo.db, _id, tx.now, tx);
      if (words) await letGo(app, words.file_id, tx.now, tx);
    });
}
