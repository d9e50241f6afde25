// The member endpoint: its tools, how it describes itself and its errors, and its check of keys.
import type { CoreClient } from "../../proto/client.ts";
import { narratedGallery } from "../prompts/narrated-gallery.ts";
import { poster } from "../prompts/poster.ts";
import { productClip } from "../prompts/product-clip.ts";
import type { KeyRules } from "../protocol/auth.ts";
import { createToolset } from "../protocol/tool.ts";
import type { ErrorWords } from "../protocol/words.ts";
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

export const MEMBER_WORDS: ErrorWords = {
  missing_key: {
    message: "No member key was sent.",
    hint: "Add the header Authorization: Bearer <member key> to this server's entry in the assistant's settings; members get their key from support.",
  },
  invalid_key: {
    message: "The member key is not valid here.",
    hint: "Check that the whole key was copied into the assistant's settings and that it is a member key, which begins with atl_mem_; support replaces one that was revoked or lost.",
  },
  membership_inactive: {
    message: "The account has no active membership that includes these tools.",
    hint: "Join, renew or upgrade on the website's membership page; the same key works again as soon as the membership includes them. Licences of purchased products stay valid.",
  },
  plan_excludes_api: {
    message: "The account's plan does not include generation through tools.",
    hint: "Move to a plan that includes the API on the website; connect_generate is listed as soon as the plan has changed.",
  },
};

export function memberKeys(core: CoreClient): KeyRules {
  return {
    kind: "mem",
    source: "member",
    limit: "member",
    cancelTool: "cancel_job",
    authenticate: async (credential) => {
      const { plan_includes_api } = await core.memberships.Authenticate({}, credential);
      return plan_includes_api ? MEMBER_TOOLSET_WITH_API : MEMBER_TOOLSET;
    },
  };
}
