// Checks responses against the OpenAPI document: the operation must describe the status, and the body must match its schema.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";

type Operation = { responses: Record<string, { content?: Record<string, object> }> };
export type OpenApiDocument = { paths: Record<string, Record<string, Operation>> };

type Answered = { status: number; contentType: string | undefined; text: string };

export type Contract = {
  /** Throws when the response violates the document. Returns whether the document has this operation. */
  check(method: string, path: string, answered: Answered): boolean;
};

export function createContract(document: OpenApiDocument): Contract {
  // The document's zod schemas check formats; other keywords must be known.
  const ajv = new Ajv2020({ validateFormats: false, strict: false });
  ajv.addSchema(document, "openapi");
  const validators = new Map<string, ValidateFunction>();
  // A literal path has priority over one with parameters, as in OpenAPI.
  const templates = Object.keys(document.paths)
    .toSorted((a, b) => Number(a.includes("{")) - Number(b.includes("{")))
    .map((template) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    }));

  function validatorFor(pointer: readonly string[]): ValidateFunction {
    const $ref = `openapi#/${pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
    const validator = validators.get($ref) ?? ajv.compile({ $ref });
    validators.set($ref, validator);
    return validator;
  }

  return {
    check: (method, path, { status, contentType = "", text }) => {
      const template = templates.find(({ pattern }) => pattern.test(path.split("?")[0] ?? ""))?.template;
      const verb = method === "HEAD" ? "get" : method.toLowerCase();
      const operation = template === undefined ? undefined : document.paths[template]?.[verb];
      if (template === undefined || !operation) return false;
      expect(Object.keys(operation.responses), `${method} ${template}`).toContain(String(status));
      if (method === "HEAD" || text === "") return true;
      const content = operation.responses[status]?.content ?? {};
      const type = contentType.split(";")[0] ?? "";
      const media = type in content ? type : "*/*";
      expect(Object.keys(content), `${method} ${template} ${status}`).toContain(media);
      if (!type.endsWith("json")) return true;
      const validate = validatorFor([
        "paths",
        template,
        verb,
        "responses",
        String(status),
        "content",
        media,
        "schema",
      ]);
      for (const line of type === "application/x-ndjson" ? text.trimEnd().split("\n") : [text])
        if (!validate(JSON.parse(line)))
          throw new Error(`${method} ${path}: ${ajv.errorsText(validate.errors)}`);
      return true;
    },
  };
}
