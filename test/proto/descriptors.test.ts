// Compares the descriptors of reflection with a proto compiler's for the same files.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSync, type MessageTypeDefinition } from "@grpc/proto-loader";
import { expect, test } from "vitest";
import { describeProtos } from "../../proto/descriptors.ts";

type Location = { path?: number[]; leadingComments?: string; trailingComments?: string };
type File = { name: string; package: string; sourceCodeInfo?: { location: Location[] } };

const google = loadSync("google/protobuf/descriptor.proto", { enums: String, longs: Number });
const read = <T>(name: string) =>
  (google[`google.protobuf.${name}`] as unknown as MessageTypeDefinition<T, T>).deserialize;

function compiledByBuf(): File[] {
  const folder = mkdtempSync(join(tmpdir(), "atelier-protos-"));
  try {
    for (const name of ["atelier", "google"])
      cpSync(`proto/${name}`, join(folder, name), { recursive: true });
    cpSync("node_modules/grpc-health-check/proto", join(folder, "grpc"), { recursive: true });
    cpSync("node_modules/@grpc/reflection/build/proto/grpc", join(folder, "grpc"), { recursive: true });
    const args = ["build", folder, "--as-file-descriptor-set", "-o", join(folder, "protos.binpb")];
    execFileSync("node_modules/.bin/buf", args, { stdio: "inherit" });
    return read<{ file: File[] }>("FileDescriptorSet")(readFileSync(join(folder, "protos.binpb"))).file;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The comment of each path in the descriptor, and the rest. */
function split({ sourceCodeInfo, ...rest }: File): { comments: Record<string, string>; rest: object } {
  // A comment before `syntax` is about the file, and no tool shows it.
  const SYNTAX = "12";
  const comments = (sourceCodeInfo?.location ?? []).flatMap(
    ({ path = [], leadingComments = "", trailingComments = "" }): [string, string][] => {
      const text = `${leadingComments}${trailingComments}`.replaceAll(/^[ \t]+/gm, "").trim();
      return text === "" || path.join(".") === SYNTAX ? [] : [[path.join("."), text]];
    },
  );
  return { comments: Object.fromEntries(comments), rest };
}

test("[RPC-01] the descriptors of the protos, health and reflection equal a real compiler's, with every comment", () => {
  const described = new Map(
    describeProtos().map((bytes) => {
      const file = read<File>("FileDescriptorProto")(bytes);
      return [file.name, file];
    }),
  );
  const compiled = compiledByBuf();
  expect([...described.keys()].sort()).toEqual(compiled.map(({ name }) => name).sort());
  for (const file of compiled) {
    const ours = described.get(file.name);
    // Google's own are read from a copy without comments and options.
    if (ours && file.package !== "google.protobuf") expect(split(ours), file.name).toEqual(split(file));
  }
  const jobs = split(described.get("atelier/v1/jobs.proto") ?? { name: "", package: "" });
  expect(Object.values(jobs.comments).join("\n")).toContain("Does not wait for the job.");
});
