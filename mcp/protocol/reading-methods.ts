// resources/*, prompts/* and completion/complete of one exchange, in both eras. They cover what the caller's toolset has, and no capability
// is declared without it.
import {
  type CompleteResult,
  ResourceNotFoundError,
  type Server,
  type ServerCapabilities,
} from "@modelcontextprotocol/server";
import { AppError, type AppErrorDetails } from "../../proto/codes.ts";
import { type ClientInput, InputNeeded, toInputRequired } from "./client-input.ts";
import type { Exchange, ServerEdge } from "./exchange.ts";
import { shown } from "./message.ts";
import type { ReadingContext } from "./read-context.ts";
import { invalidParams, toProtocolError } from "./refuse.ts";
import type { Toolset } from "./tool.ts";

const RESOURCE_METHODS = ["resources/list", "resources/templates/list", "resources/read"] as const;
const PROMPT_METHODS = ["prompts/list", "prompts/get"] as const;
/** The largest number of completions that the protocol allows. */
const MAX_COMPLETIONS = 100;
const BAD_CURSOR = {
  message: "This list has no page with this cursor.",
  hint: "Send the nextCursor of the previous page unchanged, or omit cursor to start from the first page.",
  issues: [{ path: "params.cursor", message: "must be a nextCursor of this list" }],
};
const PAGE = 50;

export function readingCapabilities({ resources, prompts }: Toolset): ServerCapabilities {
  return {
    ...(resources.length > 0 && { resources: { listChanged: false, subscribe: false } }),
    ...(prompts.length > 0 && { prompts: { listChanged: false } }),
    ...(resources.length + prompts.length > 0 && { completions: {} }),
  };
}

export function readingMethods({ resources, prompts }: Toolset): readonly string[] {
  return [
    ...(resources.length > 0 ? RESOURCE_METHODS : []),
    ...(prompts.length > 0 ? PROMPT_METHODS : []),
    ...(resources.length + prompts.length > 0 ? ["completion/complete"] : []),
  ];
}

/** Adds the methods to the server of one exchange. */
export function serveReading(server: Server, exchange: Exchange, input: ClientInput, edge: ServerEdge): void {
  const { resources, prompts } = exchange.toolset;
  if (resources.length > 0) serveResources(server, exchange, edge);
  if (prompts.length > 0) servePrompts(server, exchange, input, edge);
  if (resources.length + prompts.length > 0) serveCompletion(server, exchange, edge);
}

function serveResources(server: Server, exchange: Exchange, edge: ServerEdge): void {
  const { resources } = exchange.toolset;
  server.setRequestHandler("resources/list", ({ params }, { mcpReq: { signal } }) =>
    answerReading(exchange, edge, signal, async (context) => {
      const lists = await Promise.all(resources.map((resource) => resource.entries(context)));
      const { items, nextCursor } = pageOf(lists.flat(), params?.cursor);
      return { resources: [...items], ...(nextCursor !== undefined && { nextCursor }) };
    }),
  );
  server.setRequestHandler("resources/templates/list", ({ params }, { mcpReq: { signal } }) =>
    answerReading(exchange, edge, signal, async () => {
      const templates = resources.flatMap(({ template }) => (template ? [template] : []));
      const { items, nextCursor } = pageOf(templates, params?.cursor);
      return { resourceTemplates: [...items], ...(nextCursor !== undefined && { nextCursor }) };
    }),
  );
  server.setRequestHandler("resources/read", ({ params: { uri } }, { mcpReq: { signal } }) =>
    answerReading(exchange, edge, signal, async (context) => {
      for (const { valueIn, read, mimeType, meta } of resources) {
        const value = valueIn(uri);
        const body = value === undefined ? undefined : await read(context, value);
        if (body) return { contents: [{ uri, mimeType, ...body, ...(meta && { _meta: meta }) }] };
      }
      // This is the library's own class, because clients recognize the error by its data, which hold only the address.
      throw new ResourceNotFoundError(
        uri,
        `There is no resource ${shown(uri)}. resources/list and resources/templates/list show what there is.`,
      );
    }),
  );
}

function servePrompts(server: Server, exchange: Exchange, input: ClientInput, edge: ServerEdge): void {
  const { prompts } = exchange.toolset;
  server.setRequestHandler("prompts/list", ({ params }, { mcpReq: { signal } }) =>
    answerReading(exchange, edge, signal, async () => {
      const listings = prompts.map(({ listing }) => listing);
      const { items, nextCursor } = pageOf(listings, params?.cursor);
      return { prompts: [...items], ...(nextCursor !== undefined && { nextCursor }) };
    }),
  );
  server.setRequestHandler("prompts/get", ({ params }, { mcpReq: { signal } }) =>
    answerReading(exchange, edge, signal, async (context) => {
      const prompt = findPrompt(params.name, exchange, edge);
      try {
        const parts = await prompt.write(params.arguments ?? {}, { ...context, input });
        return {
          description: prompt.listing.description,
          messages: parts.map((content) => ({ role: "user" as const, content })),
        };
      } catch (error) {
        if (error instanceof InputNeeded) return toInputRequired(error, input);
        throw error;
      }
    }),
  );
}

function serveCompletion(server: Server, exchange: Exchange, edge: ServerEdge): void {
  server.setRequestHandler("completion/complete", ({ params: { ref, argument } }, { mcpReq: { signal } }) =>
    answerReading(exchange, edge, signal, async (context) => {
      if (ref.type === "ref/prompt") {
        const prompt = findPrompt(ref.name, exchange, edge);
        const values = prompt.suggest(argument.name, argument.value, context);
        if (values) return toCompletion(await values);
        throw invalidParams(noSuchArgument(argument.name, `The prompt ${ref.name}`), exchange, edge);
      }
      const resource = exchange.toolset.resources.find(({ uri }) => uri === ref.uri);
      if (!resource) throw invalidParams(noSuchTemplate(ref.uri), exchange, edge);
      // An address without a variable has nothing to complete.
      if (resource.variable === undefined) return toCompletion([]);
      if (resource.variable === argument.name)
        return toCompletion(await resource.suggest(argument.value, context));
      throw invalidParams(noSuchArgument(argument.name, ref.uri), exchange, edge);
    }),
  );
}

/** Gives the handler its context, and turns what it throws into the protocol's errors. */
export async function answerReading<Answer>(
  exchange: Exchange,
  edge: ServerEdge,
  signal: AbortSignal,
  write: (context: ReadingContext) => Promise<Answer>,
): Promise<Answer> {
  const { core, endpoints, guide, call } = exchange.tools;
  const has = (tool: string): boolean => exchange.toolset.find(tool) !== undefined;
  try {
    return await write({ core, endpoints, guide, has, call: { ...call, signal } });
  } catch (error) {
    throw toProtocolError(error, signal, exchange, edge, ["invalid_request"]);
  }
}

function findPrompt(name: string, exchange: Exchange, edge: ServerEdge): Toolset["prompts"][number] {
  const { prompts } = exchange.toolset;
  const prompt = prompts.find(({ listing }) => listing.name === name);
  if (prompt) return prompt;
  const known = prompts.map(({ listing }) => listing.name).join(", ");
  const hint = known === "" ? "There are none here." : `Use one of these: ${known}.`;
  const issues = [{ path: "params.name", message: "must be the name of a prompt that is listed" }];
  throw invalidParams({ message: `There is no prompt ${shown(name)}.`, hint, issues }, exchange, edge);
}

/** Throws AppError invalid_request for a cursor that does not belong to this list. */
function pageOf<T>(all: readonly T[], cursor: string | undefined) {
  const page = toListPage(all, cursor);
  if (!page) throw noSuchPage();
  return page;
}

export function noSuchPage(): AppError {
  return new AppError("invalid_request", BAD_CURSOR);
}

function noSuchArgument(name: string, of: string): AppErrorDetails {
  return {
    message: `${of} has no argument ${shown(name)}.`,
    hint: "Use an argument's name as prompts/list or the template shows it.",
    issues: [{ path: "params.argument.name", message: "must be the name of an argument" }],
  };
}

function noSuchTemplate(uri: string): AppErrorDetails {
  return {
    message: `There is no resource template ${shown(uri)}.`,
    hint: "Use a uriTemplate of resources/templates/list.",
    issues: [{ path: "params.ref.uri", message: "must be a uriTemplate that is listed" }],
  };
}

function toCompletion(values: readonly string[]): CompleteResult {
  return {
    completion: {
      values: values.slice(0, MAX_COMPLETIONS),
      total: values.length,
      hasMore: values.length > MAX_COMPLETIONS,
    },
  };
}

export type ListPage<T> = { readonly items: readonly T[]; readonly nextCursor: string | undefined };

/** Returns undefined for a cursor that no page of this list has. */
export function toListPage<T>(all: readonly T[], cursor: string | undefined): ListPage<T> | undefined {
  const start = cursor === undefined ? 0 : startOf(cursor);
  const isHere = start === 0 ? cursor === undefined : start % PAGE === 0 && start < all.length;
  if (!isHere) return undefined;
  const end = start + PAGE;
  return { items: all.slice(start, end), nextCursor: end < all.length ? cursorTo(end) : undefined };
}

function cursorTo(start: number): string {
  return Buffer.from(String(start)).toString("base64url");
}

/** Returns NaN for anything that is not a cursor. */
function startOf(cursor: string): number {
  const start = Number(Buffer.from(cursor, "base64url").toString("latin1"));
  return cursorTo(start) === cursor ? start : Number.NaN;
}
