// Runs one tool for one message, independent of who writes the response. It gives the tool its context, and turns failures into a result
// with a message.
import { type CallToolResult, type InputRequiredResult, ProtocolError } from "@modelcontextprotocol/server";
import { toAppError } from "../../edge/http/errors.ts";
import { AppError, type AppErrorDetails, ERROR_TABLE } from "../../proto/codes.ts";
import { noteError, type Span, tracedStep } from "../../runtime/log/tracing.ts";
import { type ClientInput, InputNeeded, toInputRequired } from "./client-input.ts";
import { type FailedTool, toToolFailure } from "./errors.ts";
import type { Exchange, ServerEdge } from "./exchange.ts";
import { shown } from "./message.ts";
import { declaresTasks, type Task } from "./task.ts";
import type { Tool, ToolContext, Toolset } from "./tool.ts";

export type ToolCall = {
  readonly tool: Tool;
  readonly args: unknown;
  /** The signal is aborted when no one waits for the result any more. It may be created only when it is read. */
  readonly client: { readonly signal: AbortSignal };
  readonly input: ClientInput;
  readonly reportProgress: ToolContext["reportProgress"];
};

/** The list is one page, so no cursor can have come from here. */
export const NO_CURSORS = {
  message: "This list of tools is one page and has no cursors.",
  hint: "Leave cursor out.",
  issues: [{ path: "params.cursor", message: "must be left out" }],
};

/** Says why this caller cannot call a tool of this name. */
export function noSuchTool(name: string, { listing }: Pick<Toolset, "listing">): AppErrorDetails {
  const known = listing.tools.map((listed) => listed.name).join(", ");
  return {
    message: `There is no tool ${shown(name)}.`,
    hint: `Use one of these: ${known}.`,
    issues: [{ path: "params.name", message: "must be the name of a tool that is listed" }],
  };
}

type ToolAnswer = { result: CallToolResult | InputRequiredResult; task?: Task | undefined };

/** A tool's failure is a result that a model can read. Throws only ProtocolErrors, which are meant for the client. */
export function callTool(call: ToolCall, exchange: Exchange, edge: ServerEdge): Promise<ToolAnswer> {
  const { tracing } = edge;
  if (!tracing) return runTool(call, exchange, edge);
  const { name } = call.tool.listing;
  const request = tracing.current();
  const attributes = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
  };
  const { traceparent: parent } = exchange;
  // Under the client's own span, the HTTP request is another trace or another branch of it.
  const links = parent === undefined || !request ? [] : [request.traceparent];
  return tracedStep(tracing, `tools/call ${name}`, { kind: "server", parent, links, attributes }, (span) =>
    runTool(call, exchange, edge, span),
  );
}

async function runTool(
  { tool, args, client, input, reportProgress }: ToolCall,
  { tools }: Exchange,
  { words, log }: ServerEdge,
  span?: Span,
): Promise<ToolAnswer> {
  const { requestId } = tools.call;
  try {
    return await tool.call(args ?? {}, {
      ...tools,
      call: { ...tools.call, signal: client.signal },
      takesTasks: declaresTasks(input),
      input,
      reportProgress,
    });
  } catch (error) {
    if (error instanceof InputNeeded) return { result: toInputRequired(error, input) };
    if (error instanceof ProtocolError) throw error;
    const known = toAppError(error) ?? new AppError("internal");
    if (span) noteError(span, known);
    // After the client has gone away, an error is its own cancellation.
    if (ERROR_TABLE[known.code].http >= 500 && !client.signal.aborted) {
      const context = { err: error, request_id: requestId, tool: tool.listing.name };
      if (known.code === "internal") log.error(context, "internal error");
      else log.warn(context, "unavailable");
    }
    return { result: toToolFailure(known, words, toFailedTool(tool), requestId) };
  }
}

export function toFailedTool({ listing: { name, inputSchema } }: Pick<Tool, "listing">): FailedTool {
  return { name, takesIdempotencyKey: "idempotency_key" in (inputSchema.properties ?? {}) };
}
