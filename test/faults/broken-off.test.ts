// A call of core whose stream is reset on the way: nobody's request is at fault, so callers are told to repeat it, not of a bug.
import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createCoreClient } from "../../proto/client.ts";

test.each([
  ["without an error", 0],
  ["as an internal error", 2],
  ["as cancelled", 8],
])("a stream that is reset %s is service_unavailable", async (_how, resetCode) => {
  const server = createServer().on("stream", (stream) => stream.on("error", () => {}).close(resetCode));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const core = createCoreClient({ address: `127.0.0.1:${port}`, serviceToken: async () => "a token" });
  onTestFinished(() => {
    core.close();
    server.close();
  });
  await expect(core.jobs.CancelJob({ job_id: "job_1" })).rejects.toMatchObject({
    code: "service_unavailable",
    retryAfterSeconds: 2,
  });
});
