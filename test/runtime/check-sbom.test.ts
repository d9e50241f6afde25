// The SBOM check fails for differences from the lockfile, and for packages without a licence or a checksum.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { useFolder } from "../support/shared.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/check-sbom.ts", import.meta.url));

const root = useFolder("forEachTest");

function write(path: string, value: object): void {
  mkdirSync(root(path, ".."), { recursive: true });
  writeFileSync(root(path), JSON.stringify(value));
}

type Vase = { license?: string; integrity?: string; resolved?: string };

/** A project that needs `vase`; `more` is in its lockfile too. */
function project({ license, integrity, resolved }: Vase, more: object = {}): void {
  const own = { name: "shop", version: "1.0.0", dependencies: { vase: "1.0.0" } };
  write("package.json", own);
  write("package-lock.json", {
    ...own,
    lockfileVersion: 3,
    requires: true,
    packages: { "": own, "node_modules/vase": { version: "1.0.0", license, integrity, resolved }, ...more },
  });
  install("vase", license);
}

function install(name: string, license?: string): void {
  write(`node_modules/${name}/package.json`, { name, version: "1.0.0", license });
}

function check(): { code: number | null; said: string } {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, root()], { encoding: "utf8" });
  return { code: status, said: stderr.trim() };
}

const WHOLE = { license: "MIT", integrity: "sha512-AAAA" };

test("the SBOM check passes an SBOM that matches the lockfile, without output", () => {
  project(WHOLE);
  expect(check()).toEqual({ code: 0, said: "" });
});

test("the SBOM check names an additional package", () => {
  project(WHOLE);
  install("stray", "MIT");
  const { code, said } = check();
  expect([code, said]).toEqual([1, expect.stringContaining("extraneous: stray@1.0.0")]);
});

test("the SBOM check names a missing package", () => {
  project(WHOLE);
  rmSync(root("node_modules/vase"), { recursive: true });
  const { code, said } = check();
  expect([code, said]).toEqual([1, expect.stringContaining("missing: vase@1.0.0")]);
});

test("the SBOM check names a package without a licence", () => {
  project({ integrity: WHOLE.integrity });
  expect(check()).toEqual({ code: 1, said: "vase@1.0.0 says no licence" });
});

test("the SBOM check names a package without a checksum", () => {
  project({ license: WHOLE.license });
  expect(check()).toEqual({ code: 1, said: "node_modules/vase has no checksum in package-lock.json" });
});

test("the SBOM check names a package for another system without a checksum, although it is not installed", () => {
  const vaseForOthers = { version: "1.0.0", optional: true, os: ["darwin"], license: "MIT" };
  project(WHOLE, { "node_modules/vase-darwin": vaseForOthers });
  expect(check()).toEqual({
    code: 1,
    said: "node_modules/vase-darwin has no checksum in package-lock.json",
  });
});

test("the SBOM check names a package whose lockfile entry has a resolved URL", () => {
  project({ ...WHOLE, resolved: "https://registry.example/vase/-/vase-1.0.0.tgz" });
  expect(check()).toEqual({
    code: 1,
    said: "node_modules/vase names a registry in package-lock.json: .npmrc must say omit-lockfile-registry-resolved",
  });
});
