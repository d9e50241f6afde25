// Makes the generated files that are committed: the TypeScript types of the protos. `--check` fails when they are stale.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

function generateProtoTypes(outDir: string): void {
  // The same options as proto/load.ts.
  execFileSync(
    join(ROOT, "node_modules/.bin/proto-loader-gen-types"),
    [
      "--keepCase",
      "--longs=Number",
      "--enums=String",
      "--defaults",
      "--includeComments",
      "--grpcLib=@grpc/grpc-js",
      "--importFileExtension=.ts",
      "--inputTemplate=%sInput",
      "--outputTemplate=%s",
      "-I",
      ".",
      "-O",
      outDir,
      "atelier/v1/atelier.proto",
    ],
    // Run inside proto/, so that no path of this machine gets into the comments.
    { cwd: join(ROOT, "proto"), stdio: ["ignore", "ignore", "inherit"] },
  );
}

function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
}

/** Names of the files that differ between two folders. */
function differences(fresh: string, committed: string): string[] {
  const names = new Set([...listFiles(fresh), ...listFiles(committed)]);
  return [...names].filter((name) => {
    try {
      return readFileSync(join(fresh, name), "utf8") !== readFileSync(join(committed, name), "utf8");
    } catch {
      return true;
    }
  });
}

const work = mkdtempSync(join(tmpdir(), "atelier-gen-"));
const committed = join(ROOT, "proto/types");
try {
  generateProtoTypes(work);
  if (process.argv.includes("--check")) {
    const stale = differences(work, committed);
    if (stale.length > 0) {
      console.error(`Stale generated files in proto/types (run npm run gen): ${stale.join(", ")}`);
      process.exitCode = 1;
    }
  } else {
    rmSync(committed, { recursive: true, force: true });
    cpSync(work, committed, { recursive: true });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
