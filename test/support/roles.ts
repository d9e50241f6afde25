// Starts role-process.ts for a service and controls it.
import { onTestFinished } from "vitest";
import { type ServiceProcess, startEntry } from "../../scripts/testbed/processes.ts";
import type { WholeService } from "./whole-service.ts";

export type RoleProcess = ServiceProcess & {
  /** Of its gRPC port, when it is a core. */
  readonly address: string;
};

/** Resolves when it is working. It is killed at the end of the test if it still runs. */
export async function startRole(
  { config, mongodbUri }: Pick<WholeService, "config" | "mongodbUri">,
  role: "core" | "worker",
  env: Record<string, string> = {},
): Promise<RoleProcess> {
  const running = startEntry("test/support/role-process.ts", {
    MONGODB_URI: mongodbUri,
    ATELIER_MONGO_DATABASE: config.mongoDatabase,
    ATELIER_DATA_DIR: config.dataDir,
    ATELIER_ROLES: role,
    ATELIER_LOG_LEVEL: "warn",
    ATELIER_CONTENT_CREDENTIALS: "off",
    ...env,
  });
  onTestFinished(() => running.signal("SIGKILL"));
  const { address = "" } = (await running.nextMessage()) as { address?: string };
  return { ...running, address };
}
