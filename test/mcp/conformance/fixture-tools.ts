// The tools, resources and prompts that the conformance suite asks for by name, as far as those of this service can be such: tools answer in
// text, or with a task.
import { fromMessage } from "../../../proto/codec.ts";
import { z } from "zod";
import { AppError } from "../../../proto/codes.ts";
import { jobSchema } from "../../../proto/resources/job.ts";
import { jobTasks, toTask } from "../../../mcp/jobs/task.ts";
import { definePrompt } from "../../../mcp/protocol/prompt.ts";
import { defineResource } from "../../../mcp/protocol/resource.ts";
import { createToolset, defineTool, type Toolset } from "../../../mcp/protocol/tool.ts";
import type { FakeCore } from "../fake-core.ts";

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
const nothing = z.strictObject({});
const anything = z.object({});

export function createFixtureTools(core: FakeCore): Toolset {
  const simpleText = defineTool({
    name: "test_simple_text",
    title: "Text",
    endpoints: [],
    description: "Answers with a text.",
    annotations,
    input: nothing,
    output: anything,
    handle: async () => ({ text: "This is a simple text response for testing.", structured: {} }),
  });
  const failing = defineTool({
    name: "test_error_handling",
    title: "Failure",
    endpoints: [],
    description: "Fails.",
    annotations,
    input: nothing,
    output: anything,
    handle: async () => {
      throw new AppError("invalid_request", {
        message: "This tool intentionally returns an error for testing.",
      });
    },
  });
  const progressing = defineTool({
    name: "test_tool_with_progress",
    title: "Progress",
    endpoints: [],
    description: "Tells of three steps.",
    annotations,
    input: nothing,
    output: anything,
    handle: async (_args, { reportProgress }) => {
      for (const step of ["one", "two", "three"]) reportProgress?.(step);
      return { text: "done", structured: {} };
    },
  });
  const greet = defineTool({
    name: "greet",
    title: "Greeting",
    endpoints: [],
    description: "Greets at once.",
    annotations,
    input: z.strictObject({ name: z.string() }),
    output: anything,
    handle: async ({ name }) => ({ text: `Hello, ${name}!`, structured: {} }),
  });
  const slow = defineTool({
    name: "slow_compute",
    title: "Slow",
    endpoints: [],
    description: "Ends after some seconds.",
    annotations,
    input: z.strictObject({ seconds: z.number(), label: z.string().optional() }),
    output: anything,
    tasks: jobTasks,
    handle: async ({ seconds }, { core: client, call }) => {
      const request = { modality: "audio", model_slug: "slow", prompt: "slow", params_json: "{}" };
      const { job_id } = await client.jobs.Generate(request, call);
      setTimeout(() => endIfWaiting(core, job_id), seconds * 1000).unref();
      const job = fromMessage(jobSchema, await client.jobs.GetJob({ job_id, wait_seconds: 0 }, call));
      return { text: job_id, structured: {}, task: toTask(job) };
    },
  });
  return createToolset([simpleText, failing, progressing, greet, slow], {
    resources: RESOURCES,
    prompts: PROMPTS,
  });
}

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

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
    name: "test_prompt_with_image",
    ...words,
    arguments: {},
    write: async () => [{ type: "image", data: PIXEL, mimeType: "image/png" }],
  }),
];

function endIfWaiting(core: FakeCore, jobId: string): void {
  if (core.jobs.get(jobId)?.state === "reserved") core.complete(jobId);
}
