// Bodies of plain HTML forms, as pages work without a script: names with their values.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../../proto/codes.ts";

const FORM_TYPE = "application/x-www-form-urlencoded";

/** A form as it arrived. */
export class Form {
  readonly #fields: URLSearchParams;
  constructor(text: string) {
    this.#fields = new URLSearchParams(text);
  }

  /** The last value of a name that was sent more than once; empty when there is none. */
  get(name: string): string {
    return this.#fields.getAll(name).at(-1) ?? "";
  }

  all(name: string): readonly string[] {
    return this.#fields.getAll(name);
  }

  entries(): [name: string, value: string][] {
    return [...this.#fields];
  }

  /** The same with other values of these names. */
  with(values: readonly (readonly [name: string, value: string])[]): Form {
    const fields = new URLSearchParams(this.#fields);
    for (const [name, value] of values) fields.set(name, value);
    return new Form(fields.toString());
  }

  /** As bodies in JSON: what cannot be stored or sent on unchanged is refused at the door. */
  refuseNul(): void {
    for (const [name, value] of this.#fields)
      if (`${name}${value}`.includes("\u0000"))
        throw new AppError("invalid_request", {
          issues: [{ path: name.replaceAll("\u0000", ""), message: "contains a NUL character" }],
        });
  }
}

const EMPTY = new Form("");

/** Lets the routes of this scope take forms: `request.body` is a Form then. */
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

/** The form that was sent; an empty one where the body is something else, or nothing. */
export function formOf(request: FastifyRequest): Form {
  return request.body instanceof Form ? request.body : EMPTY;
}
