// The tools, resources and prompts that the conformance suite requires by name, added to the endpoints' own.
import { createRequestStateCodec, type InputRequests, ProtocolError } from "@modelcontextprotocol/server";
import { z } from "zod";
import { toTask } from "../../../mcp/jobs/task.ts";
import { type ClientInput, InputNeeded, requireCapability } from "../../../mcp/protocol/client-input.ts";
import { definePrompt } from "../../../mcp/protocol/prompt.ts";
import { defineResource } from "../../../mcp/protocol/resource.ts";
import { requireTasks } from "../../../mcp/protocol/task.ts";
import { defineTool, type Tool, type ToolContext, type ToolSuccess } from "../../../mcp/protocol/tool.ts";
import { fromMessage } from "../../../proto/codec.ts";
import { AppError } from "../../../proto/codes.ts";
import { jobSchema } from "../../../proto/resources/job.ts";
import type { CoreInMemory } from "../core-in-memory.ts";
import { type FixtureTasks, startFixtureTasks } from "./fixture-tasks.ts";

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

type Answer = ToolSuccess<Record<string, never>>;
type Handle = (args: Record<string, unknown>, context: ToolContext) => Promise<Answer>;

function tool(name: string, handle: Handle, tasks?: FixtureTasks["tasks"]): Tool {
  return defineTool({
    name,
    title: name,
    endpoints: [],
    description: "For the conformance suite.",
    annotations,
    input: z.looseObject({}),
    output: z.object({}),
    ...(tasks && { tasks }),
    handle,
  });
}

const said = (text: string, ...more: NonNullable<Answer["more"]>): Answer => ({
  text,
  more,
  structured: {},
});

/** A question with one field on its form. */
export const ask = (message: string, field: string): InputRequests[string] => ({
  method: "elicitation/create",
  params: {
    message,
    mode: "form",
    requestedSchema: { type: "object", properties: { [field]: { type: "string" } }, required: [field] },
  },
});
const sample = (text: string): InputRequests[string] => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 100 },
});
const ROOTS: InputRequests[string] = { method: "roots/list", params: {} };

/** Repeats all questions until each has a response. */
function need(input: ClientInput, inputRequests: InputRequests, requestState?: string): void {
  if (Object.keys(inputRequests).every((name) => Object.hasOwn(input.responses, name))) return;
  throw new InputNeeded({ inputRequests, ...(requestState !== undefined && { requestState }) });
}

const states = createRequestStateCodec<string>({ key: "the key of the conformance fixture alone" });
async function readState({ state }: ClientInput): Promise<string | undefined> {
  if (state === undefined) return undefined;
  return states.verify(state, undefined as never).catch(() => {
    throw new ProtocolError(-32_602, "The requestState is not one of this server.");
  });
}

const CONTENT: readonly Tool[] = [
  tool("test_simple_text", async () => said("This is a simple text response for testing.")),
  tool("test_image_content", async () => said("", { type: "image", data: PIXEL, mimeType: "image/png" })),
  tool("test_audio_content", async () => said("", { type: "audio", data: SOUND, mimeType: "audio/wav" })),
  tool("test_embedded_resource", async () =>
    said("", {
      type: "resource",
      resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "Embedded." },
    }),
  ),
  tool("test_multiple_content_types", async () =>
    said(
      "Several:",
      { type: "image", data: PIXEL, mimeType: "image/png" },
      {
        type: "resource",
        resource: { uri: "test://mixed-content-resource", mimeType: "application/json", text: "{}" },
      },
    ),
  ),
  tool("test_error_handling", async () => {
    throw new AppError("invalid_request", {
      message: "This tool intentionally returns an error for testing.",
    });
  }),
  tool("test_tool_with_progress", async (_args, { reportProgress }) => {
    for (const step of ["one", "two", "three"]) reportProgress?.(step);
    return said("done");
  }),
  tool("test_logging_tool", async () => said("Nothing of it is logged to the client.")),
  tool("greet", async ({ name }) => said(`Hello, ${String(name)}!`)),
  {
    ...tool("json_schema_2020_12_tool", async () => said("")),
    listing: {
      name: "json_schema_2020_12_tool",
      description: "For the conformance suite.",
      inputSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: {
          address: {
            $anchor: "addressDef",
            type: "object",
            properties: { street: { type: "string" }, city: { type: "string" } },
          },
        },
        properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
        allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
        if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
        // oxlint-disable-next-line unicorn/no-thenable
        then: { required: ["phone"] },
        else: { required: ["email"] },
        additionalProperties: false,
      },
    },
  },
];

const ASKING: readonly Tool[] = [
  tool("test_input_required_result_elicitation", async (_args, { input }) => {
    need(input, { user_name: ask("What is your name?", "name") });
    return said("Hello!");
  }),
  tool("test_streaming_elicitation", async (_args, { input }) => {
    need(input, { user_name: ask("What is your name?", "name") });
    return said("Hello!");
  }),
  tool("test_input_required_result_sampling", async (_args, { input }) => {
    need(input, { capital_question: sample("What is the capital of France?") });
    return said("Thank you.");
  }),
  tool("test_input_required_result_list_roots", async (_args, { input }) => {
    need(input, { client_roots: ROOTS });
    return said("Thank you.");
  }),
  tool("test_input_required_result_multiple_inputs", async (_args, { input }) => {
    const all = {
      user_name: ask("What is your name?", "name"),
      greeting: sample("Write a greeting."),
      client_roots: ROOTS,
    };
    need(input, all, await states.mint("all"));
    return said("Thank you.");
  }),
  tool("test_input_required_result_capabilities", async (_args, { input }) => {
    if (input.capabilities["elicitation"]) need(input, { user_name: ask("What is your name?", "name") });
    need(input, { capital_question: sample("What is the capital of France?") });
    return said("Thank you.");
  }),
  ...["test_input_required_result_request_state", "test_input_required_result_tampered_state"].map((name) =>
    tool(name, async (_args, { input }) => {
      const state = await readState(input);
      need(input, { confirm: ask("Go on?", "ok") }, await states.mint("begun"));
      return said(state === "begun" ? "state-ok" : "no state");
    }),
  ),
  tool("test_input_required_result_multi_round", async (_args, { input }) => {
    const state = await readState(input);
    if (state === undefined)
      need(input, { step1: ask("What is your name?", "name") }, await states.mint("1"));
    need(input, { step2: ask("Which colour?", "colour") }, await states.mint("2"));
    return said("Thank you.");
  }),
  tool("test_missing_capability", async (_args, { input }) => {
    requireCapability(input.capabilities, ["sampling"]);
    return said("");
  }),
];

function taskTools(core: CoreInMemory, { tasks, begin, call }: FixtureTasks): readonly Tool[] {
  return [
    tool(
      "slow_compute",
      async ({ seconds }, { core: client }) => {
        const request = { modality: "audio", model_slug: "slow", prompt: "slow", params_json: "{}" };
        const { job_id } = await client.jobs.Generate(request, call);
        setTimeout(() => endIfWaiting(core, job_id), Number(seconds) * 1000).unref();
        const job = fromMessage(jobSchema, await client.jobs.GetJob({ job_id, wait_seconds: 0 }, call));
        return { ...said(job_id), task: toTask(job) };
      },
      tasks,
    ),
    tool("confirm_delete", async () => begin({ asked: { confirm: ask("Delete it?", "confirm") } }), tasks),
    tool(
      "multi_input",
      async () => begin({ asked: { one: ask("Who?", "name"), two: ask("Sure?", "confirm") } }),
      tasks,
    ),
    tool(
      "failing_job",
      async (_args, { input }) => {
        requireTasks(input);
        return begin({ result: { content: [{ type: "text", text: "It failed." }], isError: true } });
      },
      tasks,
    ),
    tool("protocol_error_job", async () => begin({ error: { code: -32_603, message: "It broke." } }), tasks),
    tool(
      "test_tool_with_task",
      async (_args, { input }) => {
        need(input, { user_name: ask("What is your name?", "name") }, await states.mint("named"));
        const { content } = input.responses["user_name"] ?? {};
        return begin({ result: { content: [{ type: "text", text: JSON.stringify(content) }] } });
      },
      tasks,
    ),
  ];
}

/** What an endpoint gets in addition to its own. */
export function createFixture(core: CoreInMemory) {
  const tools = [...CONTENT, ...ASKING, ...taskTools(core, startFixtureTasks(core))];
  return { tools, resources: RESOURCES, prompts: PROMPTS };
}

const words = { title: "Test", description: "For the conformance suite." };

const RESOURCES = [
  defineResource({
    uri: "test://static-text",
    name: "text",
    ...words,
    mimeType: "text/plain",
    read: async () => ({ text: "This is the content of the static text resource." }),
  }),
  defineResource({
    uri: "test://static-binary",
    name: "bytes",
    ...words,
    mimeType: "image/png",
    read: async () => ({ blob: PIXEL }),
  }),
  defineResource({
    uri: "test://template/{id}/data",
    name: "template",
    ...words,
    mimeType: "application/json",
    read: async (_context, id) => ({ text: JSON.stringify({ id, templateTest: true }) }),
  }),
];

const PROMPTS = [
  definePrompt({
    name: "test_simple_prompt",
    ...words,
    arguments: {},
    write: async () => [{ type: "text", text: "This is a simple prompt for testing." }],
  }),
  definePrompt({
    name: "test_prompt_with_arguments",
    ...words,
    arguments: {
      arg1: { description: "First.", required: true },
      arg2: { description: "Second.", required: true },
    },
    write: async ({ arg1, arg2 }) => [{ type: "text", text: `arg1='${arg1}', arg2='${arg2}'` }],
  }),
  definePrompt({
    name: "test_prompt_with_embedded_resource",
    ...words,
    arguments: { resourceUri: { description: "What to embed.", required: true } },
    write: async ({ resourceUri = "" }) => [
      { type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded." } },
    ],
  }),
  definePrompt({
    name: "test_input_required_result_prompt",
    ...words,
    arguments: {},
    write: async (_given, { input }) => {
      need(input, { user_context: ask("What is it for?", "context") });
      return [{ type: "text", text: "Thank you." }];
    },
  }),
  definePrompt({
    name: "test_prompt_with_image",
    ...words,
    arguments: {},
    write: async () => [{ type: "image", data: PIXEL, mimeType: "image/png" }],
  }),
];

function endIfWaiting(core: CoreInMemory, jobId: string): void {
  if (core.jobs.get(jobId)?.state === "reserved") core.complete(jobId);
}
