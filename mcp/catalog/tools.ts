// The tools of the catalog endpoint, and how the endpoint describes itself.
import { createToolset } from "../protocol/tool.ts";
import { docs } from "../resources/docs.ts";
import { modelsForAnyone } from "../resources/models.ts";
import { products } from "../resources/products.ts";
import { listSkills, skillDocs } from "../resources/skills.ts";
import { toolsAt } from "../tools/tools.ts";

export const CATALOG_INSTRUCTIONS = [
  "A marketplace of digital products (templates, component kits, icons, fonts, plugins) that also generates images, video and audio.",
  "These tools need no key. They show products, models and plans. They cannot buy, generate or read an account; how_to_connect says where that is possible.",
].join(" ");

export const CATALOG_TOOLSET = createToolset(toolsAt("catalog"), {
  resources: [modelsForAnyone, docs, skillDocs, products],
  skills: listSkills,
});
