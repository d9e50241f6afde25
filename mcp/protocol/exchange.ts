// One message in an endpoint (who sent it, what it may use, which forms of answer fit) and the answer itself.
import type { Readable } from "node:stream";
import type { Implementation } from "@modelcontextprotocol/server";
import type { Client } from "../../edge/http/client-gone.ts";
import type { Logger } from "../../runtime/log/log.ts";
import type { Tracing } from "../../runtime/log/tracing.ts";
import type { ToolContext, Toolset } from "./tool.ts";
import type { ErrorWords } from "./words.ts";

/** The form of an answer: one JSON document, events, or JSON that turns into events if there is something to report before the end. */
export type AnswerForm = "json" | "sse" | "auto";

export type Exchange = {
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly form: AnswerForm;
  readonly client: Client;
  /** Ends long streams, because this server shuts down. */
  readonly draining: AbortSignal;
  /** The client's span, if the message itself names one. It says more than a header that a proxy may have set. */
  readonly traceparent: string | undefined;
  readonly toolset: Toolset;
  /**
   * Confirms the key; undefined if it is confirmed. Until then, `toolset` is what the key might use lately. Returns what it may use now, or
   * throws the AppError of its refusal, which takes precedence over every other answer.
   */
  readonly prove: (() => Promise<Toolset>) | undefined;
  readonly tools: Pick<ToolContext, "core" | "endpoints" | "guide" | "countGeneration" | "open"> & {
    readonly call: Required<Omit<ToolContext["call"], "signal">>;
  };
};

/** How an endpoint describes itself, and how it speaks. */
export type ServerEdge = {
  readonly info: Implementation;
  readonly instructions: string;
  readonly words: ErrorWords;
  /** The public address of the endpoint. */
  readonly url: string;
  /** The form of a toolset for clients that show views. */
  readonly withViews?: (toolset: Toolset) => Toolset;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
};

/** A finished JSON document, events still to come (`lasts`: they may take longer than a request may), or what the protocol library made. */
export type Answered =
  | { readonly document: string | Buffer }
  | { readonly events: Readable; readonly lasts?: boolean }
  | Response;

export function headerOf(headers: Exchange["headers"], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
