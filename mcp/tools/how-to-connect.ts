// The tool how_to_connect: which endpoints exist, which key each accepts, and where a person gets it.
import { z } from "zod";
import { defineTool } from "../protocol/tool.ts";

export const howToConnect = defineTool({
  name: "how_to_connect",
  title: "How to connect",
  endpoints: ["catalog"],
  description: [
    "Says which endpoints there are, which key each takes, and on which page the user gets it.",
    "Use it when the user wants to generate, or asks about their account. Costs nothing.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: z.object({ connect_page: z.string(), generation_url: z.string(), member_url: z.string() }),
  async handle(_args, { endpoints: { catalog, generation, member, connectPage } }) {
    const text = [
      `${catalog}: products, models and plans. Needs no key; it is where you are.`,
      `${generation}: makes images, video and audio. Takes a generation key that may write.`,
      `${member}: a member's account, licences and jobs. Takes a member key, which support gives.`,
      "A key is set once in the assistant's settings, as the header Authorization: Bearer <key>. It never belongs into a chat.",
      `Give the user this page, which creates a key and has the settings for each assistant: ${connectPage}`,
    ].join("\n");
    return {
      text,
      structured: { connect_page: connectPage, generation_url: generation, member_url: member },
    };
  },
});
