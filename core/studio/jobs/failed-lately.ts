// The jobs that failed last, of all accounts, for the operator's page.
import type { App } from "../../kernel/app.ts";
import { type FailedJob, findFailedLately } from "./store-reads.ts";

const AMONG = 1_000;

export async function failedLately(app: Pick<App, "mongo">, limit: number): Promise<FailedJob[]> {
  return findFailedLately(app.mongo.db, { among: AMONG, limit });
}
