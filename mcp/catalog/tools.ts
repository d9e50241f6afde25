// The catalog endpoint's tools in the order in which they are listed, and how the server introduces itself.
import type { Implementation } from "@modelcontextprotocol/server";
import { createToolset } from "../protocol/tool.ts";
import { docs } from "../resources/docs.ts";
import { modelsForAnybody } from "../resources/models.ts";
import { products } from "../resources/products.ts";
import { getPlans } from "../tools/get-plans.ts";
import { getProductForAnybody } from "../tools/get-product.ts";
import { howToConnect } from "../tools/how-to-connect.ts";
import { listModelsForAnybody } from "../tools/list-models.ts";
import { searchCatalogForAnybody } from "../tools/search-catalog.ts";

export const CATALOG_INFO: Implementation = {
  name: "atelier-catalog",
  title: "Atelier catalog",
  version: "1.0.0",
};

export const CATALOG_INSTRUCTIONS = [
  "A marketplace of digital products (templates, component kits, icons, fonts, plugins) that also generates images, video and audio.",
  "These tools need no key. They show products, models and plans. They cannot buy, generate or read an account; how_to_connect says where that is possible.",
].join(" ");

export const CATALOG_TOOLSET = createToolset(
  [searchCatalogForAnybody, getProductForAnybody, listModelsForAnybody, getPlans, howToConnect],
  { resources: [modelsForAnybody, docs, products] },
);
