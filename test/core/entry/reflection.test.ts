import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { loadSync, type MessageTypeDefinition } from "@grpc/proto-loader";
import { beforeAll, describe, expect, test } from "vitest";
import { SERVICE_SCOPES } from "../../../runtime/config/service-names.ts";
import { loadServiceKey, signServiceToken } from "../../../runtime/keys/service-token.ts";
import { useTestCore } from "../../support/core.ts";

let token: string;
const core = useTestCore();
beforeAll(async () => {
  token = await signServiceToken(loadServiceKey(core.app.config, "cli"), "billing", ["Models"], 60);
});

const PROTOS = "node_modules/@grpc/reflection/build/proto/grpc/reflection";

type Field = {
  name: string;
  number: number;
  label: string;
  type: string;
  typeName: string;
};
type Message = { name: string; field: Field[]; nestedType: Message[]; options: { mapEntry: boolean } | null };
type File = {
  name: string;
  package: string;
  dependency: string[];
  messageType: Message[];
  service: { name: string }[];
  options: { goPackage: string } | null;
};
type Answer = {
  list_services_response?: { service: { name: string }[] };
  file_descriptor_response?: { file_descriptor_proto: Buffer[] };
  error_response?: { error_message: string };
};

const fileType = loadSync("google/protobuf/descriptor.proto", {
  enums: String,
  defaults: true,
})["google.protobuf.FileDescriptorProto"] as unknown as MessageTypeDefinition<File, File>;

/** Sends one request, as a tool does. Rejects with the status of a refused call. */
function ask(version: "v1" | "v1alpha", question: object, bearer = token): Promise<Answer> {
  const name = `grpc.reflection.${version}.ServerReflection`;
  const Reflection = grpc.makeClientConstructor(
    loadSync(`${PROTOS}/${version}/reflection.proto`, { keepCase: true })[name] as grpc.ServiceDefinition,
    name,
  );
  const client = new Reflection(core.address, grpc.credentials.createInsecure());
  const metadata = new grpc.Metadata();
  if (bearer) metadata.set("authorization", `Bearer ${bearer}`);
  return new Promise<Answer>((resolve, reject) => {
    const open = client["ServerReflectionInfo"] as unknown as (
      metadata: grpc.Metadata,
    ) => grpc.ClientDuplexStream<object, Answer>;
    const stream = open.call(client, metadata);
    stream.on("data", resolve).on("error", reject);
    stream.write(question);
    stream.end();
  }).finally(() => client.close());
}

async function filesOf(question: object): Promise<File[]> {
  const { file_descriptor_response: files, error_response: error } = await ask("v1", question);
  if (!files) throw new Error(error?.error_message);
  return files.file_descriptor_proto.map((bytes) => fileType.deserialize(bytes));
}

/** Every file of the services, fetched as a tool does: by symbol, then by import. */
async function allFiles(): Promise<Map<string, File>> {
  const { list_services_response: list } = await ask("v1", { list_services: "" });
  const files = new Map<string, File>();
  const wanted: object[] = (list?.service ?? []).map(({ name }) => ({ file_containing_symbol: name }));
  for (let question = wanted.pop(); question; question = wanted.pop()) {
    for (const file of await filesOf(question)) {
      if (files.has(file.name)) continue;
      files.set(file.name, file);
      wanted.push(...file.dependency.map((name) => ({ file_by_filename: name })));
    }
  }
  return files;
}

function withNested(prefix: string, messages: readonly Message[]): [string, Message][] {
  return messages.flatMap((message) => {
    const name = `${prefix}.${message.name}`;
    return [[name, message] as [string, Message], ...withNested(name, message.nestedType)];
  });
}

describe("[RPC-01] reflection", () => {
  test.each(["v1", "v1alpha"] as const)("%s lists every service, including health", async (version) => {
    const answer = await ask(version, { list_services: "" });
    expect(answer.list_services_response?.service.map(({ name }) => name).sort()).toEqual([
      "atelier.calls.v1.Calls",
      ...SERVICE_SCOPES.map((service) => `atelier.v1.${service}`),
      "grpc.health.v1.Health",
      "grpc.reflection.v1.ServerReflection",
      "grpc.reflection.v1alpha.ServerReflection",
    ]);
  });

  test("describes every message so that each type resolves and each map is one", async () => {
    const files = await allFiles();
    const messages = new Map(
      [...files.values()].flatMap((file) => withNested(`.${file.package}`, file.messageType)),
    );
    const maps: string[] = [];
    for (const [name, message] of messages) {
      for (const field of message.field) {
        if (field.type !== "TYPE_MESSAGE") continue;
        const type = messages.get(field.typeName);
        expect(type, `${name}.${field.name}: ${field.typeName}`).toBeDefined();
        if (!type?.options?.mapEntry) continue;
        maps.push(`${name}.${field.name}`);
        // Strict readers need these options to recognize a map entry.
        expect(field.label).toBe("LABEL_REPEATED");
        expect(field.typeName).toBe(`${name}.${type.name}`);
        expect(type.name.toLowerCase()).toBe(`${field.name.replaceAll("_", "")}entry`);
        expect(type.field.map((part) => `${part.name} ${part.number}`)).toEqual(["key 1", "value 2"]);
      }
    }
    expect(maps).toEqual(
      expect.arrayContaining([".atelier.v1.GenerateRequest.metadata", ".atelier.v1.Job.metadata"]),
    );
  });

  test("names a Go package for every proto file of the project", async () => {
    const files = [...(await allFiles()).values()].filter((file) => file.package === "atelier.v1");
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) expect(file.options?.goPackage, file.name).toMatch(/;atelierv1$/);
  });

  test("[RPC-02] is refused without a service token", async () => {
    await expect(ask("v1", { list_services: "" }, "")).rejects.toMatchObject({
      code: grpc.status.UNAUTHENTICATED,
    });
    await expect(ask("v1alpha", { list_services: "" }, "not-a-token")).rejects.toMatchObject({
      code: grpc.status.UNAUTHENTICATED,
    });
  });
});

const grpcurl = [...(process.env["PATH"] ?? "").split(delimiter), join(homedir(), "go/bin")]
  .map((folder) => join(folder, "grpcurl"))
  .find((path) => existsSync(path));

// Needs `go install github.com/fullstorydev/grpcurl/cmd/grpcurl@latest`; the tests above send the same requests without it.
describe.skipIf(!grpcurl)("grpcurl (skipped where it is not installed)", () => {
  async function run(...args: string[]): Promise<string> {
    const all = ["-plaintext", "-H", `authorization: Bearer ${token}`, ...args];
    const { stdout } = await promisify(execFile)(grpcurl ?? "", all);
    return stdout;
  }

  test("describes every service and a message with a map, with their comments", async () => {
    const described = await run(core.address, "describe");
    expect(described).toContain("service Jobs");
    expect(described).toContain("service Health");
    expect(await run(core.address, "describe", "atelier.v1.GenerateRequest")).toContain(
      "map<string, string> metadata = 6;",
    );
    expect(await run(core.address, "describe", "atelier.v1.Jobs")).toContain("Does not wait for the job.");
  });

  test("calls a method with types from reflection alone", async () => {
    const plans = JSON.parse(await run(core.address, "atelier.v1.Models/ListPlans")) as {
      plans: { plan: string }[];
    };
    expect(plans.plans.map(({ plan }) => plan)).toContain("pro");
  });

  test("[RPC-02] calls health without a token", async () => {
    const { stdout } = await promisify(execFile)(grpcurl ?? "", [
      "-plaintext",
      "-import-path",
      "node_modules/grpc-health-check/proto",
      "-proto",
      "health/v1/health.proto",
      core.address,
      "grpc.health.v1.Health/Check",
    ]);
    expect(JSON.parse(stdout)).toEqual({ status: "SERVING" });
  });
});
