// Tells running work that its client has disconnected and no longer waits for the response.
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

/** The client of one request. The signal is created when something first uses it, because most responses are complete before that. */
export class Client {
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Whether the connection ended before the response was complete. */
  get hasGone(): boolean {
    return this.#response.closed && !this.#response.writableFinished;
  }

  /** Aborted when the client disconnects before the response is complete. */
  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    if (this.hasGone) controller.abort();
    else
      this.#response.once("close", () => {
        if (this.hasGone) controller.abort();
      });
    return controller.signal;
  }
}

/** Aborted when the client disconnects before the response is complete. */
export function clientGone(reply: FastifyReply): AbortSignal {
  return new Client(reply.raw).signal;
}
