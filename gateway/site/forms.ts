// Bodies of plain HTML forms, as pages work without a script: names with their values.
import type { FastifyInstance } from "fastify";

/** A form as it arrived. A name that was sent more than once keeps its last value; use `all` for each of them. */
export type Form = { get(name: string): string; all(name: string): readonly string[] };

/** Lets the routes of this scope take forms: `request.body` is a Form then. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => {
      done(null, parseForm(body.toString()));
    },
  );
}

function parseForm(text: string): Form {
  const fields = new URLSearchParams(text);
  return { get: (name) => fields.getAll(name).at(-1) ?? "", all: (name) => fields.getAll(name) };
}
