// Core's gRPC server with a test's handlers, and its clients.
import { Client } from "@grpc/grpc-js";
import { onTestFinished, vi } from "vitest";
import type { Server } from "../../core/entry/server.ts";
import type { OperatorContext } from "../../proto/caller.ts";
import { type CoreClient, createCoreClient } from "../../proto/client.ts";
import { goodToken, type ServedJobs, type ServedOptions, startServed } from "./start-served.ts";
import { waitFor } from "./wait-for.ts";

export type Served = Server & {
  /** A client without calls so far: its first call is unary, because no stream is open. */
  client(options?: ClientOptions): CoreClient;
};
type ClientOptions = {
  /** The text after `token-for-` is its scopes. */
  token?: string;
  operatorContext?: OperatorContext;
  isInner?: boolean;
  address?: string;
};

export async function serveJobs(jobs: ServedJobs, options: ServedOptions = {}): Promise<Served> {
  const server = await startServed(jobs, options);
  onTestFinished(() => server.close(100));
  return {
    ...server,
    client: ({ token = goodToken(), operatorContext, isInner, address = server.address } = {}) => {
      const client = createCoreClient({
        address,
        serviceToken: async () => token,
        ...(operatorContext && { operatorContext }),
        ...(isInner && { inner: Promise.resolve(server.openCalls) }),
      });
      onTestFinished(() => client.close());
      return client;
    },
  };
}

/** Counts all clients' unary calls from now on. */
export function countAlone(): () => number {
  const { mock } = vi.spyOn(Client.prototype, "makeUnaryRequest");
  onTestFinished(() => void vi.restoreAllMocks());
  const before = mock.calls.length;
  return () => mock.calls.length - before;
}

/** Makes calls until one uses a stream. */
export async function untilStreaming(client: CoreClient): Promise<void> {
  const alone = countAlone();
  await waitFor("calls to go over a stream", async () => {
    const before = alone();
    // A refused call, whose token does not cover it, counts too.
    await client.models.ListPlans({}).catch(() => {});
    return alone() === before;
  });
}
