// What reflection tells about the protos: each file that core serves as a FileDescriptorProto, with its comments. protobufjs reads the
// files, but its own descriptors lack full type names, map entries by name, optional fields, JSON names, ends of reserved ranges and
// comments.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import descriptor, {
  type IDescriptorProto,
  type IFieldDescriptorProto,
} from "protobufjs/ext/descriptor/index.js";
import { PROTO_DIR } from "./load.ts";

const inPackage = (name: string, folder: string) =>
  join(dirname(fileURLToPath(import.meta.resolve(name))), folder);
/** Folders with protos, by the paths from which their files are imported. */
const FOLDERS: readonly { folder: string; from: string }[] = [
  { folder: join(PROTO_DIR, "atelier"), from: "atelier" },
  { folder: join(PROTO_DIR, "google"), from: "google" },
  { folder: inPackage("grpc-health-check", "../../proto/health"), from: "grpc/health" },
  { folder: inPackage("@grpc/reflection", "../proto/grpc/reflection"), from: "grpc/reflection" },
];
/** Google's files that come with protobufjs, without their comments. */
const COMMON = ["google/protobuf/any.proto", "google/protobuf/duration.proto"];

type Source = { name: string; package: string; imports: { name: string; isPublic: boolean }[] };
type Described = protobuf.ReflectionObject & { toDescriptor(edition: string): object };
type Commented = { comment: string | null };
type Location = { path: number[]; leadingComments: string };
type Proto3Field = IFieldDescriptorProto & { proto3Optional?: boolean };

/** The bytes of each file's descriptor. Reading them all takes a tenth of a second. */
export function describeProtos(): Buffer[] {
  const root = new protobuf.Root();
  const sources = [
    ...COMMON.map((name) => addCommon(root, name)),
    ...FOLDERS.flatMap((one) => parse(root, one)),
  ];
  root.resolveAll();
  return sources.map((source) => describeFile(root, source));
}

function addCommon(root: protobuf.Root, name: string): Source {
  const { nested } = protobuf.common.get(name) as protobuf.INamespace;
  root.addJSON(nested ?? {});
  const added = root.lookup("google.protobuf") as protobuf.Namespace;
  for (const object of added.nestedArray) object.filename ??= name;
  return { name, package: "google.protobuf", imports: [] };
}

function parse(root: protobuf.Root, { folder, from }: (typeof FOLDERS)[number]): Source[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".proto"),
  );
  return files.map((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const name = `${from}/${file.replaceAll("\\", "/")}`;
    Object.assign(protobuf.parse, { filename: name });
    const parsed = protobuf.parse(text, root, { keepCase: true, alternateCommentMode: true });
    const imports = [...text.matchAll(/^import (public )?"([^"]+)";/gm)];
    return {
      name,
      package: parsed.package ?? "",
      imports: imports.map(([, isPublic, imported = ""]) => ({
        name: imported,
        isPublic: isPublic !== undefined,
      })),
    };
  });
}

function describeFile(root: protobuf.Root, source: Source): Buffer {
  const namespace = root.lookup(source.package) as protobuf.Namespace;
  const here = namespace.nestedArray.filter(({ filename }) => filename === source.name);
  const messages = here.filter((object) => object instanceof protobuf.Type);
  const enums = here.filter((object) => object instanceof protobuf.Enum);
  const services = here.filter((object) => object instanceof protobuf.Service);
  // The field numbers of FileDescriptorProto.
  const comments = [
    ...messages.flatMap((message, at) => commentsOfMessage(message, [4, at])),
    ...enums.flatMap((one, at) => commentsOfEnum(one, [5, at])),
    ...services.flatMap((service, at) => commentsOfAll(service, service.methodsArray, [6, at], 2)),
  ];
  const options = Object.entries(namespace.options ?? {}).map(([name, value]: [string, unknown]) => [
    protobuf.util.camelCase(name),
    value,
  ]);
  const file = descriptor.FileDescriptorProto.fromObject({
    name: source.name,
    package: source.package,
    dependency: source.imports.map(({ name }) => name),
    publicDependency: source.imports.flatMap(({ isPublic }, at) => (isPublic ? [at] : [])),
    messageType: messages.map(describeMessage),
    enumType: enums.map((one) => describe(one)),
    service: services.map((one) => describe(one)),
    ...(options.length > 0 ? { options: Object.fromEntries(options) as object } : {}),
    // The position in the file is not told, only the order.
    sourceCodeInfo: { location: comments.map((comment, at) => ({ ...comment, span: [at, 0, 0] })) },
    syntax: "proto3",
  });
  return Buffer.from(descriptor.FileDescriptorProto.encode(file).finish());
}

/** The path as protobufjs counts it: complete for enums and services, and the beginning of a message's path. */
function describe(object: protobuf.ReflectionObject): object {
  return (object as Described).toDescriptor("proto3");
}

function describeMessage(message: protobuf.Type): IDescriptorProto {
  const described: IDescriptorProto = describe(message);
  const nested = message.nestedArray.filter((object) => object instanceof protobuf.Type);
  const entries = message.fieldsArray.filter((field) => field.map);
  const field = message.fieldsArray.map((one, at) => {
    const completed = completeField(described.field?.[at] ?? {}, one);
    return one.map ? { ...completed, typeName: `${message.fullName}.${entryOf(one)}` } : completed;
  });
  const nestedType = [
    ...entries.map((one, at) => describeEntry(described.nestedType?.[at] ?? {}, one)),
    ...nested.map(describeMessage),
  ];
  // The format names the first number behind a range, protobufjs the last number in it.
  const reservedRange = described.reservedRange?.map(({ start = 0, end = 0 }) => ({ start, end: end + 1 }));
  return { ...described, field, nestedType, ...(reservedRange ? { reservedRange } : {}) };
}

function completeField(described: IFieldDescriptorProto, field: protobuf.Field): Proto3Field {
  const { proto3_optional: isOptional, ...options } = field.options ?? {};
  const { options: fieldOptions, ...rest } = described;
  return {
    ...rest,
    ...(fieldOptions && Object.keys(options).length > 0 ? { options: fieldOptions } : {}),
    ...(field.resolvedType ? { typeName: field.resolvedType.fullName } : {}),
    ...(isOptional ? { proto3Optional: true } : {}),
    jsonName: protobuf.util.camelCase(field.name),
  };
}

/** The entry message of a map, for readers that do not know maps. */
function describeEntry(described: IDescriptorProto, field: protobuf.Field): IDescriptorProto {
  const [key, value] = described.field ?? [];
  const typeName = field.resolvedType ? { typeName: field.resolvedType.fullName } : {};
  return {
    ...described,
    name: entryOf(field),
    field: [
      { ...key, jsonName: "key" },
      { ...value, ...typeName, jsonName: "value" },
    ],
  };
}

function entryOf(field: protobuf.Field): string {
  return `${protobuf.util.ucFirst(protobuf.util.camelCase(field.name))}Entry`;
}

/** The field numbers of DescriptorProto: its fields, oneofs, messages and enums. */
function commentsOfMessage(message: protobuf.Type, path: number[]): Location[] {
  const entries = message.fieldsArray.filter((field) => field.map).length;
  const nested = message.nestedArray.filter((object) => object instanceof protobuf.Type);
  const enums = message.nestedArray.filter((object) => object instanceof protobuf.Enum);
  const oneofs = message.oneofsArray.map(({ comment }, at) => ({ comment, path: [...path, 8, at] }));
  return [
    ...commentsOfAll(message, message.fieldsArray, path, 2),
    ...toLocations(oneofs),
    ...nested.flatMap((one, at) => commentsOfMessage(one, [...path, 3, entries + at])),
    ...enums.flatMap((one, at) => commentsOfEnum(one, [...path, 4, at])),
  ];
}

function commentsOfEnum(one: protobuf.Enum, path: number[]): Location[] {
  const values = Object.keys(one.values).map((name) => ({ comment: one.comments[name] ?? null }));
  return commentsOfAll(one, values, path, 2);
}

/** The comments of an element and of its parts, which are in the field with this number. */
function commentsOfAll(
  whole: Commented,
  parts: readonly Commented[],
  path: number[],
  number: number,
): Location[] {
  return toLocations([
    { comment: whole.comment, path },
    ...parts.map(({ comment }, at) => ({ comment, path: [...path, number, at] })),
  ]);
}

function toLocations(found: readonly (Commented & { path: number[] })[]): Location[] {
  return found.flatMap(({ comment, path }) => (comment ? [{ path, leadingComments: `${comment}\n` }] : []));
}
