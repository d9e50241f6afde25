// The one place that reads the .proto files: service definitions for server and clients.
import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { ProtoGrpcType } from "./types/atelier.ts";

export const PROTO_DIR = fileURLToPath(new URL(".", import.meta.url));

/**
 * Messages arrive with snake_case names, int64 as number (all our counts are far below 2^53), enums by name. scripts/make-proto-types.ts
 * generates proto/types/ with the same options.
 */
const packageDefinition = loadSync("atelier/v1/atelier.proto", {
  keepCase: true,
  longs: Number,
  enums: String,
  defaults: true,
  includeDirs: [PROTO_DIR],
});

export const atelierV1 = (grpc.loadPackageDefinition(packageDefinition) as unknown as ProtoGrpcType).atelier
  .v1;
