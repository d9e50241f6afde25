// Makes the counter that every write of the catalog moves.
import { randomBytes } from "node:crypto";
import type { App } from "../../kernel/app.ts";
import { ensureCatalogState } from "./store.ts";

/** Safe to run again and in several processes at the same time. */
export async function prepareCatalog(app: Pick<App, "mongo">): Promise<void> {
  await ensureCatalogState(app.mongo.db, newEpoch());
}

export function newEpoch(): string {
  return randomBytes(4).toString("hex");
}
