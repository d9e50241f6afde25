// Compares the schemas of resources with their messages, because a field in only one of them is lost silently.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSync, type MessageTypeDefinition } from "@grpc/proto-loader";
import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor/index.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fromMessage, toMessage, fieldsOf } from "../../proto/codec.ts";
import { describeProtos } from "../../proto/descriptors.ts";
import { atelierV1 } from "../../proto/load.ts";
import { apiKeySchema } from "../../proto/resources/api-key.ts";
import { deliverySchema } from "../../proto/resources/callback.ts";
import { approvalSchema } from "../../proto/resources/confirmation.ts";
import { balanceSchema, ledgerEntrySchema } from "../../proto/resources/credits.ts";
import { estimateSchema } from "../../proto/resources/estimate.ts";
import {
  generateRequestSchema,
  generateResultSchema,
  jobEventSchema,
  jobSchema,
} from "../../proto/resources/job.ts";
import { downloadSchema, libraryLicenceSchema, productFileSchema } from "../../proto/resources/library.ts";
import { meSchema } from "../../proto/resources/me.ts";
import { licenceSchema, membershipSchema } from "../../proto/resources/membership.ts";
import { modelDefinitionSchema, modelSchema, planSchema } from "../../proto/resources/model.ts";
import { creditPackSchema, discountCodeSchema, orderSchema } from "../../proto/resources/order.ts";
import { catalogProductSchema } from "../../proto/resources/product.ts";
import { providerSchema } from "../../proto/resources/provider.ts";
import { sessionSchema } from "../../proto/resources/session.ts";
import { changeQuoteSchema, subscriptionSchema } from "../../proto/resources/subscription.ts";
import { ticketSchema, ticketSummarySchema } from "../../proto/resources/ticket.ts";
import { verifiedFileSchema } from "../../proto/resources/verified-file.ts";
import { verifiedOutputSchema } from "../../proto/resources/verified-output.ts";
import {
  workflowRequestSchema,
  workflowResultSchema,
  workflowSchema,
} from "../../proto/resources/workflow.ts";

/** Each schema with its message, and the message's additional fields. */
const CARRIED: [string, z.ZodObject, string[]][] = [
  ["Job", jobSchema, ["version", "receipt", "starred"]],
  ["JobEvent", jobEventSchema, []],
  ["GenerateRequest", generateRequestSchema, ["idempotency_key", "confirmation_id"]],
  ["Workflow", workflowSchema, ["version"]],
  ["RunWorkflowRequest", workflowRequestSchema, ["idempotency_key", "confirmation_id"]],
  ["RunWorkflowReply", workflowResultSchema, ["replayed"]],
  ["EstimateReply", estimateSchema, []],
  ["Me", meSchema, []],
  ["GenerateReply", generateResultSchema, ["replayed"]],
  ["LedgerEntry", ledgerEntrySchema, []],
  ["Balance", balanceSchema, ["missing_welcome", "key"]],
  ["Model", modelSchema, []],
  ["AddModelRequest", modelDefinitionSchema, []],
  ["Provider", providerSchema, []],
  ["Plan", planSchema, []],
  ["ApiKey", apiKeySchema, []],
  ["Confirmation", approvalSchema, []],
  ["Delivery", deliverySchema, []],
  ["VerifiedOutput", verifiedOutputSchema, []],
  ["VerifiedFile", verifiedFileSchema, []],
  ["Product", catalogProductSchema, []],
  ["Membership", membershipSchema, ["account_id"]],
  ["Licence", licenceSchema, ["account_id"]],
  ["ProductFile", productFileSchema, []],
  ["LibraryLicence", libraryLicenceSchema, []],
  ["Download", downloadSchema, []],
  ["Order", orderSchema, ["account_id", "provider_ref", "payment_ref"]],
  ["CreditPack", creditPackSchema, []],
  ["DiscountCode", discountCodeSchema, []],
  ["Subscription", subscriptionSchema, ["account_id", "provider", "provider_ref"]],
  ["ChangeQuote", changeQuoteSchema, []],
  ["Ticket", ticketSchema, ["account_id"]],
  ["TicketSummary", ticketSummarySchema, ["account_id"]],
  ["Session", sessionSchema, ["account_id", "revoked_at"]],
];

const root = (protobuf.Root as unknown as { fromDescriptor(set: object): protobuf.Root }).fromDescriptor({
  file: describeProtos().map((bytes) => descriptor.FileDescriptorProto.decode(bytes)),
});
root.resolveAll();

/** The differences between a schema and a message, recursively. */
function differences(schema: z.ZodObject, message: protobuf.Type, beside: readonly string[]): string[] {
  const fields = fieldsOf(schema);
  const known = new Set([...fields.map(({ wire }) => wire), ...beside]);
  const unknown = Object.keys(message.fields).filter((name) => !known.has(name));
  return [
    ...unknown.map((name) => `${message.name}.${name} is in no schema`),
    ...fields.flatMap(({ name, wire, optional, nullable }) => {
      const field = message.fields[wire];
      if (!field) return [`${name} is not in ${message.name}`];
      const carried = field.resolvedType instanceof protobuf.Type ? field.resolvedType : undefined;
      // An optional field of proto3 is the only one of its own oneof.
      const isOptional = field.partOf !== null;
      const wrong: string[] = [];
      const isEmptyWithout = field.map || field.repeated || wire.endsWith("_json");
      if (optional && !carried && !isOptional && !isEmptyWithout)
        wrong.push(`${message.name}.${wire} cannot be left out`);
      if (nullable && !carried && !isOptional) wrong.push(`${message.name}.${wire} cannot be absent`);
      if (!nullable && !optional && isOptional) wrong.push(`${name} of ${message.name} may not be null`);
      const inner = objectIn(schema.shape[name] as z.ZodType);
      if (inner && carried) wrong.push(...differences(inner, carried, []));
      return wrong;
    }),
  ];
}

function objectIn(schema: z.ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodArray) return objectIn(schema.element as z.ZodType);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return objectIn(schema.unwrap() as z.ZodType);
  return undefined;
}

test.each(CARRIED)("every field of %s is in its schema and in its message", (name, schema, beside) => {
  expect(differences(schema, root.lookupType(`atelier.v1.${name}`), beside)).toEqual([]);
});

describe("an encoded resource", () => {
  const schema = z.object({
    id: z.string(),
    note: z.string().nullable(),
    hint: z.string().optional(),
    labels: z.record(z.string(), z.string()),
    detail: z.record(z.string(), z.unknown()),
    part: z.object({ size: z.number().nullable() }).nullable(),
    parts: z.array(z.object({ size: z.number().nullable(), any: z.record(z.string(), z.unknown()) })),
    tags: z.array(z.string()),
    shares: z.array(z.object({ size: z.number() })).optional(),
  });
  const full: z.output<typeof schema> = {
    id: "a",
    note: "b",
    hint: "c",
    labels: { x: "y" },
    detail: { deep: [1, { two: null }] },
    part: { size: 0 },
    parts: [
      { size: 1, any: {} },
      { size: null, any: { a: 1 } },
    ],
    tags: ["t"],
    shares: [{ size: 1 }],
  };
  const { hint: _hint, shares: _shares, ...unhinted } = full;
  const bare = { ...unhinted, note: null, part: null, parts: [], tags: [] };

  test.each([
    ["full", full],
    ["bare", bare],
  ])("is equal after a round trip: %s", (_name, resource) => {
    const message: object = toMessage(schema, resource);
    expect(Object.values(message)).not.toContain(null);
    expect(fromMessage(schema, message)).toEqual(resource);
  });

  test("lacks an optional list when the message has an empty one", () => {
    const { shares: _none, ...without } = full;
    expect(fromMessage(schema, { ...toMessage(schema, without), shares: [] })).toEqual(without);
  });

  test("drops extra fields of a message", () => {
    const message = toMessage<typeof schema, { version?: number }>(schema, full, { version: 3 });
    expect(message.version).toBe(3);
    expect(fromMessage(schema, message)).toEqual(full);
  });

  test("is refused when its message lacks a required field", () => {
    expect(() => fromMessage(schema, { note: "b" })).toThrow("a message came without id");
  });
});

// Compares the descriptors of reflection with a proto compiler's for the same files.
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

test("a field that is undefined is sent as an absent one, in inner messages too", () => {
  const { responseSerialize: write } = atelierV1.Jobs.service.ListJobs;
  const job = { job_id: "job_1" };
  const given = { jobs: [{ ...job, receipt: undefined }], looked_back_to: undefined };
  expect(write(given)).toEqual(write({ jobs: [job] }));
  expect(write({ jobs: [{ ...job, receipt: "" }], looked_back_to: "" })).not.toEqual(write({ jobs: [job] }));
});
