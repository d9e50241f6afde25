// The tool get_credits: the same as GET /api/credits/balance, and what the key's spending limit leaves.
import { z } from "zod";
import { fromMessage } from "../../proto/codec.ts";
import { type ApiKeyResource, apiKeySchema } from "../../proto/resources/api-key.ts";
import { balanceSchema } from "../../proto/resources/credits.ts";
import { defineTool } from "../protocol/tool.ts";

export const getCredits = defineTool({
  name: "get_credits",
  title: "Read the credits",
  endpoints: ["generation", "member"],
  description: [
    "Reads the account's credits: available may be spent, held is reserved for jobs that wait, grants expire; and this key's spending limit.",
    "list_ledger explains the number. Costs nothing.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  checksKey: true,
  input: z.strictObject({}),
  output: balanceSchema.pick({ balance: true, held: true, available: true }).extend({
    grants: z.array(balanceSchema.shape.grants.element.pick({ left: true, expires_at: true })),
    next_grant_at: z.iso.datetime().nullable(),
    key_max_credits: z.int().optional(),
    key_credits_left: z.int().optional(),
    key_confirm_above: z.int().optional(),
  }),
  async handle(_args, { core, call }) {
    const reply = await core.credits.GetBalance({ with_key: true }, call);
    const credits = fromMessage(balanceSchema, reply);
    const budget = reply.key ? budgetOf(fromMessage(apiKeySchema, reply.key)) : {};
    const { balance, held, available, grants, next_grant_at } = credits;
    return {
      text: [
        `Credits available: ${available}. Balance: ${balance}, of which ${held} are held for jobs that wait.`,
        ...grants.map(({ left, expires_at }) => `${left} of the available ones expire at ${expires_at}.`),
        ...(next_grant_at === null ? [] : [`The plan gives more at ${next_grant_at}.`]),
        ...budgetLines(budget),
      ].join("\n"),
      structured: { ...credits, ...budget },
    };
  },
});

type Budget = { key_max_credits?: number; key_credits_left?: number; key_confirm_above?: number };

/** Empty if the key has no limit: most keys have none, and every assistant pays for the text. */
function budgetOf({
  max_credits,
  credits_this_month: used,
  confirm_above,
  confirm_raised: raised,
  caps = [],
}: ApiKeyResource): Budget {
  const lefts = [
    ...(max_credits === null ? [] : [max_credits - (used ?? 0)]),
    ...caps.map((cap) => cap.max_credits - cap.credits_used),
  ];
  return {
    ...(max_credits !== null && { key_max_credits: max_credits }),
    // A limit may have been lowered below what is used.
    ...(lefts.length > 0 && { key_credits_left: Math.max(0, Math.min(...lefts)) }),
    ...(confirm_above !== null && { key_confirm_above: raised?.above ?? confirm_above }),
  };
}

function budgetLines({ key_max_credits, key_credits_left, key_confirm_above }: Budget): string[] {
  return [
    ...(key_credits_left === undefined
      ? []
      : [
          key_max_credits === undefined
            ? `This key may spend ${key_credits_left} more credits for now.`
            : `This key may spend ${key_max_credits} credits in a calendar month (UTC); ${key_credits_left} are left.`,
        ]),
    ...(key_confirm_above === undefined
      ? []
      : [`The user has to approve each job that costs more than ${key_confirm_above} credits.`]),
  ];
}
