// The units of deploy/systemd: systemd accepts every line and rates them as confined, and each role gets only its own secrets.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandsOf, missingLine, readSteps } from "../../scripts/install-test/steps.ts";

const DEPLOY = fileURLToPath(new URL("../../deploy", import.meta.url));
const UNITS = join(DEPLOY, "systemd");
/** Standard units that the machine has and the service's units name. */
const SYSTEM_UNITS = "/usr/lib/systemd/system";
const systemdIsThere = spawnSync("systemd-analyze", ["--version"]).status === 0 && existsSync(SYSTEM_UNITS);
const ROLES = ["core", "worker", "gateway", "mcp"];

/** A unit with its drop-in. */
function textOf(role: string): string {
  return ["atelier@.service", `atelier@${role}.service.d/role.conf`]
    .map((file) => readFileSync(join(UNITS, file), "utf8"))
    .join("");
}

test("each role gets its own secrets, by names that secrets.sh creates", () => {
  const handed = Object.fromEntries(
    ROLES.map((role) => [
      role,
      [...textOf(role).matchAll(/^LoadCredential=.+:\/etc\/atelier\/secrets\/(.+)$/gm)]
        .map(([, file = ""]) => file)
        .sort(),
    ]),
  );
  expect(handed).toEqual({
    core: ["atelier-secret", "credentials.pem", "mongodb-uri", "trusted-keys.json"],
    worker: ["atelier-secret", "credentials-key.pem", "credentials.pem", "mongodb-uri", "trusted-keys.json"],
    gateway: ["atelier-secret", "gateway-key.pem"],
    mcp: ["atelier-secret", "mcp-key.pem"],
  });
  for (const role of ROLES) {
    // Each is loaded under the name that a setting reads.
    const loaded = [...textOf(role).matchAll(/^LoadCredential=(.+?):/gm)].map(([, name]) => name).sort();
    const read = [...textOf(role).matchAll(/_FILE=%d\/(\S+)/g)].map(([, name]) => name).sort();
    expect(read).toEqual(loaded);
  }
});

test("no two roles use the same port", () => {
  const ports = ROLES.flatMap((role) => [...textOf(role).matchAll(/_PORT=(\d+)/g)].map(([, port]) => port));
  expect(ports).toHaveLength(6);
  expect(new Set(ports).size).toBe(6);
});

describe.runIf(systemdIsThere)("systemd-analyze", () => {
  const root = mkdtempSync(join(tmpdir(), "atelier-units-"));
  const analyze = (...args: string[]) =>
    spawnSync("systemd-analyze", [`--root=${root}`, ...args], { encoding: "utf8" });

  beforeAll(() => {
    cpSync(SYSTEM_UNITS, join(root, SYSTEM_UNITS), { recursive: true, verbatimSymlinks: true });
    cpSync(UNITS, join(root, "etc/systemd/system"), { recursive: true });
    const bin = join(root, "opt/atelier/node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "node"), "", { mode: 0o755 });
    const local = join(root, "usr/local/bin");
    mkdirSync(local, { recursive: true });
    cpSync(join(DEPLOY, "mongod-watch.sh"), join(local, "mongod-watch"));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test("accepts every line of every unit", () => {
    const units = readdirSync(UNITS).filter((name) => /^(?!atelier@).*\.(service|timer)$/.test(name));
    const { stdout, stderr, status } = analyze(
      "verify",
      "--man=no",
      ...units,
      ...ROLES.map((role) => `atelier@${role}.service`),
    );
    expect(stdout + stderr).toBe("");
    expect(status).toBe(0);
  });

  test("rates the exposure of every role at 2 of 10 or lower", () => {
    for (const role of ROLES) {
      const { stdout, status } = analyze(
        "security",
        "--offline=yes",
        "--no-pager",
        "--threshold=20",
        `atelier@${role}.service`,
      );
      expect(stdout).toContain("Overall exposure level");
      expect(status, stdout.split("\n").at(-2)).toBe(0);
    }
  });
});

// The installation page for one server, which npm run install-test follows: its blocks are commands with their output.
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("blocks of sh are steps, the text block after one is its output, and a script may be in it", () => {
  const fence = "```";
  const page = `
${fence}sh
first
and second
${fence}

${fence}text
one …
${fence}

${fence}text
not of a step
${fence}

${fence}bash
only told
${fence}

<!-- stands in: scripts/install-test/project.sh -->

${fence}sh
third
${fence}
`;
  expect(readSteps(page)).toEqual([
    { line: 3, commands: "first\nand second", prints: ["one …"] },
    { line: 22, commands: "third", prints: [], standIn: "scripts/install-test/project.sh" },
  ]);
});

test("output lines are matched in order, and three dots match anything", () => {
  const output = "a (1)\nb 2\nb 3\n";
  expect(missingLine(output, ["a (1)", "b …"])).toBeUndefined();
  expect(missingLine(output, ["b …", "b 3"])).toBeUndefined();
  expect(missingLine(output, ["b 3", "a (1)"])).toBe("a (1)");
  expect(missingLine(output, ["b"])).toBe("b");
});

test("every step of the page is valid shell", () => {
  const steps = readSteps(readFileSync(`${ROOT}docs/operations/server.md`, "utf8"));
  expect(steps.length).toBeGreaterThan(10);
  expect(steps.flatMap(({ standIn }) => standIn ?? [])).toHaveLength(2);
  for (const step of steps)
    for (const input of [step.commands, commandsOf(step, ROOT)]) {
      const { status, stderr } = spawnSync("bash", ["-n"], { input, encoding: "utf8" });
      expect(stderr).toBe("");
      expect(status).toBe(0);
    }
});
