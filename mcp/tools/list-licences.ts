// The tool list_licences: the caller's licences.
import { z } from "zod";
import { fromMessages } from "../../proto/codec.ts";
import { licenceSchema } from "../../proto/resources/membership.ts";
import { defineTool } from "../protocol/tool.ts";
import { nextLines, nextCursorSchema, pageArguments, toNextCursor } from "./page.ts";

export const listLicences = defineTool({
  name: "list_licences",
  title: "List product licences",
  endpoints: ["member"],
  description: [
    "Lists the member's product licences, newest first: kind, how it came, and whether it is in force.",
    "Use it before offering a purchase, or to see that one went through. Licences outlast the membership. Costs nothing.",
    "The user downloads the files at /library on the website.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject(pageArguments),
  output: z.object({
    licences: z.array(licenceSchema.omit({ licence_id: true, product_id: true, revoked_at: true })),
    next_cursor: nextCursorSchema,
  }),
  async handle({ limit, cursor = "" }, { core, call }) {
    const page = await core.memberships.ListLicences({ limit, cursor }, call);
    const licences = fromMessages(licenceSchema, page.licences);
    const lines = licences.length > 0 ? licences.map(describeLicence) : ["No licence yet."];
    return {
      text: [...lines, ...nextLines("list_licences", page.next_cursor)].join("\n"),
      structured: { licences, next_cursor: toNextCursor(page.next_cursor) },
    };
  },
});

const ORIGINS = { purchase: "bought", membership: "came with the membership", grant: "given by support" };

function describeLicence(licence: z.output<typeof licenceSchema>): string {
  const { product_slug, product_name, kind, source, status, granted_at, revoked_at } = licence;
  const end = revoked_at === null ? "" : ` on ${revoked_at}`;
  return `${product_slug}: ${product_name}, ${kind} licence, ${ORIGINS[source]} on ${granted_at}, ${status}${end}.`;
}
