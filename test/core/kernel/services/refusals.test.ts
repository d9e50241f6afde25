// The refusal that a calling service gets over gRPC.
import { generateKeyPairSync } from "node:crypto";
import { type ServiceError, status } from "@grpc/grpc-js";
import { loadSync, type MessageTypeDefinition } from "@grpc/proto-loader";
import { describe, expect, test } from "vitest";
import { type CoreClient, createCoreClient } from "../../../../proto/client.ts";
import type { AppError } from "../../../../proto/codes.ts";
import { PROTO_DIR } from "../../../../proto/load.ts";
import { createCustomer } from "../../../support/app.ts";
import { useTestCore } from "../../../support/core.ts";
import { waitFor } from "../../../support/wait-for.ts";

const core = useTestCore();

type Any = { type_url: string; value: Buffer };
type Info = { reason: string; domain: string; metadata: Record<string, string> };
const rpc = loadSync("google/rpc/status.proto", { keepCase: true, defaults: true, includeDirs: [PROTO_DIR] });
const statusType = rpc["google.rpc.Status"] as unknown as MessageTypeDefinition<
  { details: Any[] },
  { details: Any[] }
>;
const infoType = rpc["google.rpc.ErrorInfo"] as unknown as MessageTypeDefinition<Info, Info>;

/** The refusal as a gRPC client reads it. */
async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown as AppError,
  );
  const cause = error?.cause as ServiceError | undefined;
  const raw = cause?.metadata.get("grpc-status-details-bin")[0];
  if (!cause || !(raw instanceof Buffer)) throw new Error("no refusal with details");
  const [detail] = statusType.deserialize(raw).details;
  if (!detail) throw new Error("no detail");
  const { reason, domain, metadata } = infoType.deserialize(Buffer.from(detail.value));
  return { code: cause.code, text: cause.details, reason, domain, metadata };
}

function withToken(token: string): CoreClient {
  return createCoreClient({ address: core.address, serviceToken: async () => token });
}

describe("[RPC-05] a refused service gets the reason and the next step in google.rpc details", () => {
  test("for a token of another service", async () => {
    const client = core.client("billing", ["Models"]);
    const told = await refusal(client.admin.GetAccount({ account: "x" }));
    expect(told).toMatchObject({
      code: status.PERMISSION_DENIED,
      domain: "atelier.service",
      reason: "service_scope_missing",
      metadata: { name: "billing", service: "Admin", hint: expect.stringContaining("--scope") },
    });
    expect(told.text).toContain(told.metadata["hint"]);
  });

  test("for an unknown key", async () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    expect(await refusal(core.client("billing", ["Models"], privateKey).models.ListPlans({}))).toMatchObject({
      code: status.UNAUTHENTICATED,
      reason: "service_key_unknown",
      metadata: { hint: expect.stringContaining("ATELIER_SERVICE_TRUSTED_KEYS") },
    });
  });

  test("for a malformed token, also on a stream", async () => {
    const client = withToken("not-a-token");
    expect(await refusal(client.models.ListPlans({}))).toMatchObject({ reason: "service_token_invalid" });
    const watch = async () => {
      for await (const _ of client.catalog.WatchCatalog({})) return;
    };
    expect(await refusal(watch())).toMatchObject({
      code: status.UNAUTHENTICATED,
      reason: "service_token_invalid",
    });
    client.close();
  });

  test("for a revoked name", async () => {
    await core.client().admin.RevokeServiceName({ name: "gone" });
    const client = core.client("gone", ["Models"]);
    await waitFor("the name to be refused", () =>
      client.models.ListPlans({}).then(
        () => false,
        () => true,
      ),
    );
    expect(await refusal(client.models.ListPlans({}))).toMatchObject({
      reason: "service_name_revoked",
      metadata: { name: "gone" },
    });
  });

  test("for a gateway that signs a token for Admin", async () => {
    const client = core.client("gateway", ["Jobs", "Admin"]);
    expect(await refusal(client.admin.GetAccount({ account: "x" }))).toMatchObject({
      code: status.UNAUTHENTICATED,
      reason: "service_key_exceeded",
      metadata: { name: "gateway" },
    });
  });
});

test("[RPC-04] acting for an account needs a key, which every service may use, or the scope act-as", async () => {
  const { accountId, caller } = await createCustomer(core.app);
  const byName = { kind: "account", accountId, source: "app" } as const;
  const without = core.client("billing", ["Credits"]);
  await without.credits.GetBalance({}, { caller });
  expect(await refusal(without.credits.GetBalance({}, { caller: byName }))).toMatchObject({
    code: status.PERMISSION_DENIED,
    reason: "service_may_not_act",
    metadata: { hint: expect.stringContaining("--act-as") },
  });
  const allowed = core.client("billing", ["Credits", "act-as"]);
  expect(await allowed.credits.GetBalance({}, { caller: byName })).toMatchObject({ balance: 1000 });
  // Tool servers only use keys.
  expect(
    await refusal(core.client("mcp", ["Credits"]).credits.GetBalance({}, { caller: byName })),
  ).toMatchObject({ reason: "service_may_not_act" });
});
