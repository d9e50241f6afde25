// How often the shop is killed: 20 times with all tests; `vitest run test/faults/shop-killed.test.ts --mode thorough` kills it 200 times.
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    shopKills: number;
  }
}

export const SHOP_KILLS = inject("shopKills");
