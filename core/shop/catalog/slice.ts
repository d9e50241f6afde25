// The parts of the catalog that processes need.
import type { App } from "../../kernel/app.ts";
import type { Slice } from "../../kernel/slice.ts";
import type { Catalog } from "./live-catalog.ts";
import { catalogAdminHandlers, catalogHandlers } from "./rpc.ts";
import { SNAPSHOT_COLLECTIONS } from "./store-snapshots.ts";
import { CATALOG_COLLECTIONS } from "./store.ts";
import { prepareCatalog } from "./write-catalog.ts";

export const catalogSlice: Slice<App, { catalog: Catalog }> = {
  name: "shop/catalog",
  collections: [...CATALOG_COLLECTIONS, ...SNAPSHOT_COLLECTIONS],
  seed: prepareCatalog,
  serve: (app, { catalog }) => ({
    Catalog: catalogHandlers(catalog),
    CatalogAdmin: catalogAdminHandlers(app),
  }),
  observe: ({ metrics: { gauge } }, { catalog: { live } }) => {
    gauge("catalog_version", "Version of the catalog that this core shows.", () => live.state().version);
    gauge("catalog_products", "Public products in this core's index.", () => live.state().products);
    gauge("catalog_fresh", "1 while this core can prove that its catalog is complete, else 0.", () =>
      live.state().fresh ? 1 : 0,
    );
  },
};
