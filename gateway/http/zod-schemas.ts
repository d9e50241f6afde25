// The schemas of routes are zod schemas: they check requests, and describe them.
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { AppError, type ErrorCode } from "../../proto/codes.ts";
import { parseQuery, parseRequest } from "../../proto/resources/issues.ts";

/** The not-found code for each part of a path that does not match its schema. Parts without an entry: not_found. */
export const missingThings = z.registry<{ code: ErrorCode }>();

/** A thing that cannot exist is answered like one that does not. */
function readParams(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const name = String(parsed.error.issues[0]?.path[0]);
  const part: unknown = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
  throw new AppError((part instanceof z.ZodType && missingThings.get(part)?.code) || "not_found");
}

/** For the routes of this scope. */
export function useZod(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => (value: unknown) => {
    if (!(schema instanceof z.ZodType)) throw new Error("a route's schema is not a zod schema");
    try {
      if (httpPart === "params") return { value: readParams(schema, value) };
      if (httpPart === "body" && value === undefined)
        throw new AppError("invalid_json", { message: "The request body is empty." });
      const parse = httpPart === "querystring" ? parseQuery : parseRequest;
      return { value: parse(schema, value) };
    } catch (error) {
      return { error: error as AppError };
    }
  });
  // Responses are built field by field from core's messages; checking them again would only cost time.
  app.setSerializerCompiler(() => JSON.stringify);
}
