// Loads compose.yaml with the Compose Specification's own loader. Go builds it once into the project's cache, which takes a minute: npm
// test -- test/deploy/compose-spec.test.ts --mode thorough
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, inject, test } from "vitest";
import { CACHE_DIR } from "../../runtime/mongod/binary-cache.ts";
import { useFolder } from "../support/shared.ts";

const VERSION = "v2.16.2";
const FOLDER = join(CACHE_DIR, `compose-spec-${VERSION.slice(1)}`);
/** The file name that Go gives to a build of the folder `cmd`. */
const PROGRAM = join(FOLDER, "cmd");
const BUILD_BOUND_MS = 600_000;
const DEPLOY = fileURLToPath(new URL("../../deploy", import.meta.url));

const go = ["go", "/usr/local/go/bin/go"].find((command) => spawnSync(command, ["version"]).status === 0);
const canRun = existsSync(PROGRAM) || (inject("isThorough") && go !== undefined);

const folder = useFolder();
beforeAll(() => {
  copyFileSync(join(DEPLOY, ".env.example"), folder(".env"));
  if (canRun && !existsSync(PROGRAM))
    execFileSync(go ?? "", ["install", `github.com/compose-spec/compose-go/v2/cmd@${VERSION}`], {
      env: { ...process.env, GOBIN: FOLDER },
      stdio: "ignore",
    });
}, BUILD_BOUND_MS);

function load(text: string): { status: number | null; said: string; services: string[] } {
  writeFileSync(folder("compose.yaml"), text);
  const { status, stdout, stderr } = spawnSync(PROGRAM, ["--format", "json", "compose.yaml"], {
    cwd: folder(),
    encoding: "utf8",
  });
  const services = status === 0 ? Object.keys((JSON.parse(stdout) as { services: object }).services) : [];
  return { status, said: stdout + stderr, services };
}

const compose = readFileSync(join(DEPLOY, "compose.yaml"), "utf8");

test.runIf(canRun)("compose.yaml is valid by the Compose Specification", () => {
  const { said, status, services } = load(compose);
  expect([said.slice(0, 300), status]).toEqual([expect.stringContaining("{"), 0]);
  expect(services).toEqual(expect.arrayContaining(["core", "worker", "gateway", "mcp", "mongo3", "caddy"]));
});

test.runIf(canRun).each([
  ["a misspelt word", "cap_drop:", "cap_dorp:"],
  ["a word where a list belongs", "depends_on: [core, redis]", "depends_on: core"],
  ["an unknown condition", "condition: service_healthy", "condition: service_happy"],
])("the Compose loader refuses %s", (_what, right, wrong) => {
  expect(compose).toContain(right);
  expect(load(compose.replaceAll(right, wrong)).status).not.toBe(0);
});
