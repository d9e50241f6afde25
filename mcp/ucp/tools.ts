// The tools of the Universal Commerce Protocol's catalog, as its binding to MCP has them: the same questions and answers as over REST.
import type { Implementation } from "@modelcontextprotocol/server";
import { z } from "zod";
import { getUcpProduct, lookUpUcp, searchUcp, type UcpContext } from "../../proto/ask-ucp.ts";
import {
  ucpDetailSchema,
  ucpFoundSchema,
  ucpGetProductSchema,
  ucpLookedUpSchema,
  ucpLookupSchema,
  ucpSearchSchema,
} from "../../proto/resources/ucp.ts";
import { createToolset, defineTool, type Tool } from "../protocol/tool.ts";

export const UCP_INFO: Implementation = { name: "atelier-ucp", title: "Atelier, over UCP", version: "1.0.0" };

export const UCP_INSTRUCTIONS =
  "A marketplace of digital products, as the Universal Commerce Protocol has it: what anybody can buy now. Nothing here buys; the person does, on the product's page.";

/** The protocol has the agent's profile in it. Nothing here depends on that. */
const metaSchema = z.looseObject({}).optional();

type Question<Request extends z.ZodType, Answer extends z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  request: Request;
  answer: Answer;
  ask: (request: z.output<Request>, context: UcpContext) => Promise<z.output<Answer>>;
};

function defineQuestion<Request extends z.ZodType, Answer extends z.ZodObject>({
  request,
  answer,
  ask,
  ...words
}: Question<Request, Answer>): Tool {
  return defineTool({
    ...words,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: z.object({ meta: metaSchema, catalog: request }),
    output: answer,
    async handle(args, { core, call, endpoints: { site } }) {
      const structured = await ask((args as { catalog: z.output<Request> }).catalog, {
        core,
        call,
        baseUrl: site,
      });
      return { text: JSON.stringify(structured), structured };
    },
  });
}

export const UCP_TOOLSET = createToolset([
  defineQuestion({
    name: "search_catalog",
    title: "Search what can be bought",
    description:
      "Finds products that anybody can buy now, by words that all must match, categories and price. Costs nothing. Next: get_product, or give the person its url to buy it on.",
    request: ucpSearchSchema,
    answer: ucpFoundSchema,
    ask: searchUcp,
  }),
  defineQuestion({
    name: "lookup_catalog",
    title: "Look up products and variants",
    description:
      "Shows products by id or handle, or variants by id, as far as they can be bought now; a message names each that cannot. Costs nothing.",
    request: ucpLookupSchema,
    answer: ucpLookedUpSchema,
    ask: lookUpUcp,
  }),
  defineQuestion({
    name: "get_product",
    title: "Show one product",
    description:
      "Shows one product with the variant that is selected, else the standard licence. Costs nothing. Next: give the person its url to buy it on.",
    request: ucpGetProductSchema,
    answer: ucpDetailSchema,
    ask: getUcpProduct,
  }),
]);
