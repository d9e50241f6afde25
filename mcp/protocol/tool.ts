// The definition of a tool: one flat file with its name, texts, schemas, annotations and handler, and nothing about transport or errors.
import type {
  CallToolResult,
  ContentBlock,
  ListToolsResult,
  Tool as ToolListing,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import { parseRequest } from "../../proto/resources/issues.ts";
import type { ClientInput } from "./client-input.ts";
import { toInputSchema, toOutputSchema } from "./json-schema.ts";
import { keepListed, type KeepListed } from "./listed-fields.ts";
import type { Prompt } from "./prompt.ts";
import type { ReadContext, ReadingContext } from "./read-context.ts";
import type { Resource } from "./resource.ts";
import type { Skill } from "./skill.ts";
import type { Task, Tasks } from "./task.ts";

/** The context of one call. */
export type ToolContext = ReadContext & {
  /** Counts one generation against the key's allowance. Throws rate_limited. */
  readonly countGeneration: () => Promise<void>;
  /**
   * Takes a permit for a wait, counted for the client's address in this process. Returns the function that gives the permit back. Throws
   * rate_limited.
   */
  readonly open: () => () => void;
  /** Tells the client the progress of the call; undefined if it did not ask or cannot receive it. */
  readonly reportProgress: ((message: string) => void) | undefined;
  /** Whether the client accepts a task for work that continues after the response. */
  readonly takesTasks: boolean;
  readonly input: ClientInput;
};

export type ToolSuccess<Structured> = {
  /** The text is short and complete, because many assistants show their model nothing else. */
  text: string;
  /** Content after the text: small images for a model that sees, and links to files that the call made or found. */
  more?: readonly ContentBlock[];
  structured: Structured;
  /** For programs; models do not see it. */
  meta?: Record<string, unknown>;
  /** Work that continues after the response. A client with tasks gets the task instead of the rest. */
  task?: Task;
};

type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** The member endpoint lists some of its tools only while the plan includes the API. */
export type ToolEndpoint = "catalog" | "generation" | "member" | "member with the API";

type ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> = {
  /** The name, as verb_noun. */
  name: string;
  title: string;
  /** The endpoints that list it. */
  endpoints: readonly ToolEndpoint[];
  /** When to use it, what it costs, how long it takes, and which tool comes next. */
  description: string;
  annotations: Annotations;
  input: Input;
  /** Derived from the resource with pick or omit: only these fields of the handler's result are sent. */
  output: Output;
  /** How a task is followed, if the handler may answer with one. */
  tasks?: Tasks;
  /** The handler succeeds only if a call of core has checked the key as the endpoint would, so it need not be checked before. */
  checksKey?: true;
  handle(args: z.output<Input>, context: ToolContext): Promise<ToolSuccess<z.output<Output>>>;
};

export type Tool = {
  readonly listing: ToolListing;
  readonly endpoints: readonly ToolEndpoint[];
  readonly tasks: Tasks | undefined;
  readonly checksKey: boolean;
  /**
   * Runs the handler. Throws AppError invalid_request for arguments that do not fit, and whatever the handler throws: AppErrors and
   * InputNeeded.
   */
  readonly call: (
    args: unknown,
    context: ToolContext,
  ) => Promise<{ result: CallToolResult; task?: Task | undefined }>;
};

export function defineTool<Input extends z.ZodType, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, endpoints, description, annotations, input, output, tasks, handle } = definition;
  const { checksKey = false } = definition;
  const keep = keepListed(output);
  return {
    endpoints,
    tasks,
    checksKey,
    listing: {
      name,
      title,
      description,
      inputSchema: toInputSchema(input),
      outputSchema: toOutputSchema(output),
      annotations,
    },
    async call(args, context) {
      const success = await handle(parseRequest(input, args), context);
      return { result: toCallToolResult(success, keep), task: context.takesTasks ? success.task : undefined };
    },
  };
}

export function toCallToolResult(
  { text, more = [], structured, meta }: ToolSuccess<object>,
  keep: KeepListed,
): CallToolResult {
  return {
    content: [{ type: "text", text }, ...more],
    structuredContent: keep(structured) as Record<string, unknown>,
    ...(meta && { _meta: meta }),
  };
}

/** The tools of one kind of caller. The list has a fixed order and is made once. */
export type Toolset = {
  readonly tools: readonly Tool[];
  readonly listing: ListToolsResult;
  readonly find: (name: string) => Tool | undefined;
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** The skills, whose files are among the resources. */
  readonly skills: (context: ReadingContext) => readonly Skill[];
  /** How tasks are followed, if one of the tools may answer with a task. */
  readonly tasks: Tasks | undefined;
  /** Whether tools name views, for clients that show them. */
  readonly hasViews: boolean;
};

export function createToolset(
  tools: readonly Tool[],
  {
    resources = [],
    prompts = [],
    skills = () => [],
    hasViews = false,
  }: Partial<Pick<Toolset, "resources" | "prompts" | "skills" | "hasViews">> = {},
): Toolset {
  const byName = new Map(tools.map((tool) => [tool.listing.name, tool]));
  return {
    tools,
    listing: { tools: tools.map((tool) => tool.listing) },
    find: (name) => byName.get(name),
    resources,
    prompts,
    skills,
    tasks: tools.find((tool) => tool.tasks)?.tasks,
    hasViews,
  };
}
