// Options in the database URL, and those that it cannot override.
import { expect, inject, onTestFinished, test } from "vitest";
import { connectMongo } from "../../../../core/base/mongo/client.ts";

test("a database URL cannot override the connection timeouts or enable compression", async () => {
  const uri = new URL(inject("mongodUri"));
  for (const [name, value] of [
    ["connectTimeoutMS", "30000"],
    ["socketTimeoutMS", "0"],
    ["heartbeatFrequencyMS", "60000"],
    ["compressors", "zlib"],
    ["appName", "said-by-the-address"],
  ] as const)
    uri.searchParams.set(name, value);
  const { client } = await connectMongo(uri.href, "test_client");
  onTestFinished(() => client.close());
  expect(client.options).toMatchObject({
    connectTimeoutMS: 4_000,
    socketTimeoutMS: 30_000,
    heartbeatFrequencyMS: 1_000,
    compressors: ["none"],
    // Options that the service does not set come from the URL.
    appName: "said-by-the-address",
  });
});
