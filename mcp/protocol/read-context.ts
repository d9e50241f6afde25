// The context of a tool, a resource or a prompt.
import type { Guide } from "../../edge/guide.ts";
import type { CallOptions, CoreClient } from "../../proto/client.ts";

/** The public addresses of this installation. */
export type Endpoints = {
  readonly catalog: string;
  readonly generation: string;
  readonly member: string;
  /** Where a person creates a key and finds the settings of their assistant. */
  readonly connectPage: string;
  /** The website, without a trailing slash. */
  readonly site: string;
};

export type ReadContext = {
  readonly core: CoreClient;
  /** Goes with every call of core: who calls, the request id, and a signal that is aborted when the client goes away. */
  readonly call: Pick<CallOptions, "caller" | "requestId" | "signal">;
  readonly endpoints: Endpoints;
  /** The chapters of the docs, with the addresses of this installation. */
  readonly guide: Guide;
};

export type ReadingContext = ReadContext & {
  /** Returns whether the caller has a tool of this name. Documents and prompts name no other tools. */
  readonly has: (tool: string) => boolean;
};
