// From this version on the price of a model may depend on params, where no code of before may be running that would charge its lowest price.
// A model without prices by params stays as it is: its unit and its credits are its price.
import type { Migration } from "./migration.ts";

export const pricesByParams: Migration = {
  version: 12,
  what: "prices of models may depend on params",
  batch: async () => null,
};
