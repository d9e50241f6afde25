// From this version on the price of a model may depend on its params, as long as no older process runs, which would charge the lowest
// price. Models without such prices keep their unit and credits.
import type { Migration } from "./migration.ts";

export const pricesByParams: Migration = {
  version: 12,
  what: "prices of models may depend on params",
  batch: async () => null,
};
