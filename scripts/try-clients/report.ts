// A client's results at an endpoint, from its program's line of JSON, and the table of all of them.
import { z } from "zod";

/** A part that a client lacks is left out. */
const doneSchema = z.strictObject({
  /** The negotiated protocol version, where the client reports it. */
  protocol: z.string().nullish(),
  tools: z.int().min(1),
  called: z.literal(true),
  resources: z.int().min(1).optional(),
  read: z.literal(true).optional(),
  completed: z.literal(true).optional(),
  prompts: z.int().min(1).optional(),
  prompt: z.literal(true).optional(),
});
export type Done = z.output<typeof doneSchema>;

export type Row = {
  readonly client: string;
  /** By endpoint; or why the client is missing. */
  readonly outcome: readonly (Done | { readonly failed: string })[] | { readonly absent: string };
};

/** Reads the last line of a program's output. Throws when it is incomplete. */
export function readDone(output: string): Done {
  return doneSchema.parse(JSON.parse(output.trim().split("\n").at(-1) ?? ""));
}

/** In Markdown. */
export function toTable(endpoints: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["client", ...endpoints.map((path) => `\`${path}\``)]),
    line(["---", ...endpoints.map(() => "---")]),
    ...rows.map(({ client, outcome }) =>
      line([
        client,
        ...("absent" in outcome ? endpoints.map(() => `not there: ${outcome.absent}`) : outcome.map(inWords)),
      ]),
    ),
  ].join("\n");
}

function inWords(done: Done | { readonly failed: string }): string {
  if ("failed" in done) return "FAILED";
  const { protocol, tools, resources, completed, prompts, prompt } = done;
  return [
    `${tools} tools`,
    ...(resources === undefined ? [] : [`${resources} resources`]),
    ...(completed ? ["completion"] : []),
    ...(prompts === undefined ? [] : [`${prompts} prompts`]),
    ...(prompts === undefined && prompt ? ["a prompt that is named"] : []),
    ...(protocol ? [`by ${protocol}`] : []),
  ].join(", ");
}
