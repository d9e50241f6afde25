// One message on its way through an endpoint (who sent it, what it may use, which forms of answer fit) and the answer itself.
import type { Readable } from "node:stream";
import type { Implementation } from "@modelcontextprotocol/server";
import type { Client } from "../../edge/http/client-gone.ts";
import type { Logger } from "../../runtime/log/log.ts";
import type { Tracing } from "../../runtime/log/tracing.ts";
import type { ErrorWords } from "./words.ts";
import type { ToolContext, Toolset } from "./tool.ts";

/** How an answer may look: one JSON document, events, or JSON that turns into events when there is something to say before the end. */
export type AnswerForm = "json" | "sse" | "auto";

export type Exchange = {
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly form: AnswerForm;
  readonly client: Client;
  /** Ends long streams, because this server goes away. */
  readonly draining: AbortSignal;
  /** The client's span, where the message itself names one, which says more than a header that a proxy may have set. */
  readonly traceparent: string | undefined;
  readonly toolset: Toolset;
  readonly tools: Pick<ToolContext, "core" | "endpoints" | "guide" | "countGeneration" | "open"> & {
    readonly call: Required<Omit<ToolContext["call"], "signal">>;
  };
};

/** What an endpoint says of itself, and how it speaks. */
export type ServerEdge = {
  readonly info: Implementation;
  readonly instructions: string;
  readonly words: ErrorWords;
  /** Public address of the endpoint. */
  readonly url: string;
  /** What a toolset is for clients that show views. */
  readonly withViews?: (toolset: Toolset) => Toolset;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
};

/** A finished JSON document, events still to come (`lasts`: for longer than requests do), or what the protocol library made. */
export type Answered =
  | { readonly document: string }
  | { readonly events: Readable; readonly lasts?: boolean }
  | Response;

export function headerOf(headers: Exchange["headers"], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
