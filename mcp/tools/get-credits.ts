// Tool get_credits: the same as GET /api/credits/balance.
import { fromMessage } from "../../proto/codec.ts";
import { z } from "zod";
import { balanceSchema } from "../../proto/resources/credits.ts";
import { defineTool } from "../protocol/tool.ts";

export const getCredits = defineTool({
  name: "get_credits",
  title: "Read the credits",
  description: [
    "Reads the account's credits: available may be spent, held is reserved for jobs that wait, grants expire.",
    "Use it before an expensive job; list_ledger explains the number. Costs nothing.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: balanceSchema.pick({ balance: true, held: true, available: true }).extend({
    grants: z.array(balanceSchema.shape.grants.element.pick({ left: true, expires_at: true })),
    next_grant_at: z.iso.datetime().nullable(),
  }),
  async handle(_args, { core, call }) {
    const credits = fromMessage(balanceSchema, await core.credits.GetBalance({}, call));
    const { balance, held, available, grants, next_grant_at } = credits;
    return {
      text: [
        `Credits available: ${available}. Balance: ${balance}, of which ${held} are held for jobs that wait.`,
        ...grants.map(({ left, expires_at }) => `${left} of the available ones expire at ${expires_at}.`),
        ...(next_grant_at === null ? [] : [`The plan gives more at ${next_grant_at}.`]),
      ].join("\n"),
      structured: credits,
    };
  },
});
