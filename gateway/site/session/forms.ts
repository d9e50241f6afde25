// Parses bodies of HTML forms into names with values, so that pages work without scripts.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { type AppError, invalidField } from "../../../proto/codes.ts";

const FORM_TYPE = "application/x-www-form-urlencoded";

/** A submitted form. */
export class Form {
  readonly #fields: URLSearchParams;
  constructor(text: string) {
    this.#fields = new URLSearchParams(text);
  }

  /** The last value if a name was sent more than once; empty if it was not sent. */
  get(name: string): string {
    return this.#fields.getAll(name).at(-1) ?? "";
  }

  all(name: string): readonly string[] {
    return this.#fields.getAll(name);
  }

  entries(): [name: string, value: string][] {
    return [...this.#fields];
  }

  /** A copy with other values for these names. */
  with(values: readonly (readonly [name: string, value: string])[]): Form {
    const fields = new URLSearchParams(this.#fields);
    for (const [name, value] of values) fields.set(name, value);
    return new Form(fields.toString());
  }

  /** As for JSON bodies, text that cannot be stored unchanged is refused here. */
  refuseNul(): void {
    for (const [name, value] of this.#fields)
      if (`${name}${value}`.includes("\u0000"))
        throw invalidField(name.replaceAll("\u0000", ""), "contains a NUL character");
  }
}

/** A field of a form that is sent in the query: empty where nothing was chosen, which forms send as an empty text. */
export const orEmpty = <T extends z.ZodType>(schema: T) =>
  z
    .preprocess((value) => (value === "" ? undefined : value), schema.optional())
    .transform((value) => value ?? ("" as const));

const EMPTY = new Form("");

/** Lets the routes of this scope accept forms: `request.body` is then a Form. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(FORM_TYPE, { parseAs: "string" }, (_request, body, done) => {
    const form = new Form(body.toString());
    try {
      form.refuseNul();
      done(null, form);
    } catch (error) {
      done(error as AppError);
    }
  });
}

/** The submitted form; an empty one if the body is missing or of another type. */
export function formOf(request: FastifyRequest): Form {
  return request.body instanceof Form ? request.body : EMPTY;
}
