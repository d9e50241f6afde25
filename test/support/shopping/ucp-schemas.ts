// The published schemas of the Universal Commerce Protocol, as test/fixtures/ucp keeps them, and the conditions that they leave to code.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";

const FILE = join(import.meta.dirname, "../../fixtures/ucp/ucp-sdk-0.5.0.json");

export type UcpShape =
  | "profile"
  | "search_request"
  | "search_response"
  | "lookup_request"
  | "lookup_response"
  | "get_product_request"
  | "get_product_response"
  | "error_response";

type Published = { $id: string; entries: Record<UcpShape, string> };

/** Says what is wrong; empty where all is well. */
export function createUcpCheck(): (shape: UcpShape, value: unknown) => string[] {
  const published = JSON.parse(readFileSync(FILE, "utf8")) as Published;
  // Formats are those of the language that the schemas were made for.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(published);
  return (shape, value) => {
    const validate = ajv.getSchema(published.$id + published.entries[shape]);
    if (!validate) throw new Error(`there is no schema for ${shape}`);
    if (validate(value)) return conditionsOf(shape, value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
  };
}

function conditionsOf(shape: UcpShape, value: unknown): string[] {
  const faults: string[] = [];
  walk(value, (node) => {
    const { pagination, description, price_range, variants } = node as Record<
      string,
      Record<string, unknown>
    >;
    if (pagination?.["has_next_page"] === true && pagination["cursor"] === undefined)
      faults.push("a next page without a cursor");
    if (typeof description === "object" && Object.keys(description).length === 0)
      faults.push("a description without any form");
    if (price_range && Array.isArray(variants) && variants.length === 0) faults.push("no variant");
  });
  if (shape === "error_response" && (value as { ucp: { status: string } }).ucp.status !== "error")
    faults.push("an error whose status is not error");
  return faults;
}

function walk(value: unknown, look: (node: object) => void): void {
  if (typeof value !== "object" || value === null) return;
  look(value);
  for (const part of Object.values(value)) walk(part, look);
}
