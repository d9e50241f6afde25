// The tools of the member endpoint, and how the endpoint describes itself.
import { narratedGallery } from "../prompts/narrated-gallery.ts";
import { poster } from "../prompts/poster.ts";
import { productClip } from "../prompts/product-clip.ts";
import { createToolset } from "../protocol/tool.ts";
import { docs } from "../resources/docs.ts";
import { models } from "../resources/models.ts";
import { products } from "../resources/products.ts";
import { listSkills, skillDocs } from "../resources/skills.ts";
import { toolsAt } from "../tools/tools.ts";

const TOOLS = toolsAt("member");
const TOOLS_OF_API = toolsAt("member with the API");

export const MEMBER_INSTRUCTIONS = [
  "Tools for members of the marketplace: products and the pages to buy them on, membership, licences, credits and generation jobs.",
  "These tools cannot buy anything or change the account; the user confirms that on the website.",
  `${TOOLS_OF_API.map(({ listing }) => listing.name).join(" and ")} are listed only while the member's plan includes the API.`,
].join(" ");

const READING = { resources: [models, docs, skillDocs, products], skills: listSkills };

export const MEMBER_TOOLSET = createToolset(TOOLS, READING);
/** The prompts are left out, because they are about generating. */
export const MEMBER_TOOLSET_WITH_API = createToolset([...TOOLS, ...TOOLS_OF_API], {
  ...READING,
  prompts: [poster, productClip, narratedGallery],
});
