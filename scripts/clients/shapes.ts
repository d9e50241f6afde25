// The part of the OpenAPI document that the clients' types are made from, and how a file that was made from it says so: by digests, so that
// a stale or an edited one is found without the generators, which are too large to keep among the dependencies.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const MADE_TYPES = "clients/js/src/openapi.ts";
export const MADE_MODELS = "clients/python/src/atelier_client/models.py";
const DOCUMENT = "test/gateway/__snapshots__/openapi.json";

type Json = Record<string, unknown>;
type Operation = { operationId: string; parameters?: Json[] };
type OpenApi = { openapi: string; info: Json; paths: Record<string, Json>; components: { schemas: Json } };

/** Named schemas, and what lists filter by. Words about operations, examples and errors are no part of it, so that they can change freely. */
export function readShapes(root: string): string {
  const document = JSON.parse(readFileSync(join(root, DOCUMENT), "utf8")) as OpenApi;
  const lists = Object.entries(document.paths).flatMap(([path, item]): [string, Json][] => {
    const { operationId, parameters = [] } = (item["get"] ?? {}) as Operation;
    const query = parameters.filter((one) => one["in"] === "query");
    const isList = /^list(?!Models|CatalogChanges)/.test(operationId ?? "") && query.length > 0;
    if (!isList) return [];
    return [
      [path, { get: { operationId, parameters: query, responses: { 200: { description: "A page." } } } }],
    ];
  });
  // What only wraps another schema is of no use to programs: the clients unwrap it.
  const schemas = Object.entries(document.components.schemas).filter(
    ([name]) => !/(?:Answer|List)$/.test(name),
  );
  const shapes = {
    openapi: document.openapi,
    info: document.info,
    paths: Object.fromEntries(lists),
    components: { schemas: Object.fromEntries(schemas) },
  };
  return JSON.stringify(shapes, plainRefs, 2);
}

/** What is a reference is nothing else besides, though its words may differ. */
function plainRefs(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$ref" in value)) return value;
  const { $ref, description, deprecated } = value as Json;
  return { $ref, description, deprecated };
}

/** The text with a first line that says what it was made from. `comment` begins a line. */
export function seal(text: string, shapes: string, comment: string): string {
  return `${comment} Made by \`npm run gen:clients\` from the OpenAPI document (shapes ${digest(shapes)}, text ${digest(text)}). Not to be edited.\n${text}`;
}

/** The generated files that are stale or were edited. */
export function findStale(root: string): string[] {
  const shapes = digest(readShapes(root));
  return [MADE_TYPES, MADE_MODELS].filter((file) => {
    const all = readFileSync(join(root, file), "utf8");
    const end = all.indexOf("\n") + 1;
    return !all.slice(0, end).includes(`(shapes ${shapes}, text ${digest(all.slice(end))})`);
  });
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
