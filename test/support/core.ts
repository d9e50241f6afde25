// A real core on a free port, with its own data folder and database.
import type { KeyObject } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCore } from "../../core/entry/start.ts";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import type { OperatorContext } from "../../proto/caller.ts";
import { type CoreClient, createCoreClient } from "../../proto/client.ts";
import { type Claim, CLAIMS, isOwnService } from "../../runtime/config/service-names.ts";
import { loadServiceKey, signServiceToken } from "../../runtime/keys/service-token.ts";
import { createTestApp, type TestAppOptions } from "./app.ts";
import { sharedByTests } from "./shared.ts";

export type TestCore = {
  app: JobsApp;
  address: string;
  /** What a process on the same machine needs to call this core. */
  env: { ATELIER_CORE_ADDRESS: string; ATELIER_DATA_DIR: string };
  /**
   * A client with tokens of this name and these scopes, signed with that name's key, else the operator's, unless another is given. Closed
   * with the core.
   */
  client(
    name?: string,
    claims?: readonly Claim[],
    key?: KeyObject,
    operatorContext?: OperatorContext,
  ): CoreClient;
  close(): Promise<void>;
};

export async function startTestCore(options: TestAppOptions = {}): Promise<TestCore> {
  const dataDir = mkdtempSync(join(tmpdir(), "atelier-test-core-"));
  const { app, close } = await createTestApp({
    ...options,
    env: { ATELIER_GRPC_PORT: "0", ATELIER_DATA_DIR: dataDir, ...options.env },
  });
  const core = await startCore(app);
  const clients: CoreClient[] = [];
  return {
    app,
    address: core.address,
    env: { ATELIER_CORE_ADDRESS: core.address, ATELIER_DATA_DIR: dataDir },
    client: (
      name = "test",
      claims = CLAIMS,
      key,
      operatorContext = { operator: "Grace", reason: "ticket 7" },
    ) => {
      const signer = isOwnService(name) ? name : "cli";
      const pem =
        key?.export({ type: "pkcs8", format: "pem" }).toString() ?? loadServiceKey(app.config, signer);
      const serviceToken = () => signServiceToken(pem, name, claims, 60);
      const client = createCoreClient({
        address: core.address,
        serviceToken,
        operatorContext: operatorContext,
      });
      clients.push(client);
      return client;
    },
    close: async () => {
      for (const client of clients) client.close();
      await core.close();
      await close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** One for all tests of the file or block. */
export function useTestCore(options?: TestAppOptions): TestCore {
  return sharedByTests(() => startTestCore(options));
}
