// The parts of a request and its reply that the rules use, whether the request passes through fastify's routes or bypasses them.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";

export type AnyRequest = Pick<FastifyRequest, "id" | "ip" | "protocol" | "method" | "headers" | "log"> & {
  readonly raw: IncomingMessage;
  /** The pattern of the route. */
  readonly routeOptions: { readonly url?: string | undefined };
};

export type AnyReply = {
  readonly raw: ServerResponse;
  readonly statusCode: number;
  /** Names are in lower case. */
  header(name: string, value: string | number): AnyReply;
  headers(values: Readonly<Record<string, string>>): AnyReply;
  code(status: number): AnyReply;
  type(mediaType: string): AnyReply;
  /** Text and bytes need a media type. */
  send(payload?: string | Buffer | Readable): AnyReply;
};
