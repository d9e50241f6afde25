// How many races of orders there are: 40 with all tests; `vitest run test/faults/order-races.test.ts --mode thorough` makes it 200.
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    orderRaces: number;
  }
}

export const ORDER_RACES = inject("orderRaces");
