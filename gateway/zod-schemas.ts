// Schemas of routes are zod's: they check what comes in, and describe it.
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { AppError } from "../proto/codes.ts";
import { parseRequest } from "../proto/resources/issues.ts";

/** For the routes of this scope. */
export function useZod(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => (value: unknown) => {
    if (!(schema instanceof z.ZodType)) throw new Error("a route's schema is not a zod schema");
    try {
      // What a path names and cannot exist looks like what does not exist.
      if (httpPart === "params" && !schema.safeParse(value).success) throw new AppError("job_not_found");
      if (httpPart === "body" && value === undefined)
        throw new AppError("invalid_json", { message: "The request body is empty." });
      return { value: parseRequest(schema, value) };
    } catch (error) {
      return { error: error as AppError };
    }
  });
  // Answers are built field by field from core's messages; checking them again would only slow the way out down.
  app.setSerializerCompiler(() => JSON.stringify);
}
