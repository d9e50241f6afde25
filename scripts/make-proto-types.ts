// Generates proto/types/, the TypeScript types of the protos, for `scripts/setup.js`.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

rmSync(join(ROOT, "proto/types"), { recursive: true, force: true });
execFileSync(
  process.execPath,
  [
    join(ROOT, "node_modules/@grpc/proto-loader/build/bin/proto-loader-gen-types.js"),
    // The same options as proto/load.ts.
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
    "types",
    "atelier/v1/atelier.proto",
  ],
  // Run inside proto/, so that the comments contain no absolute path.
  { cwd: join(ROOT, "proto"), stdio: ["ignore", "ignore", "inherit"] },
);

// An optional field of a request may be undefined, which is the same as absent.
for (const file of globSync(join(ROOT, "proto/types/**/*.ts"))) {
  const text = readFileSync(file, "utf8");
  const input = /^export interface \w+Input \{[^]*?^\}/m;
  writeFileSync(
    file,
    text.replace(input, (fields) => fields.replaceAll(/^(  '\w+'\?: .+);$/gm, "$1 | undefined;")),
  );
}
