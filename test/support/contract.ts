// Checks answers against the OpenAPI document: the operation must describe the status, and the body must match its schema.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";

type Operation = { responses: Record<string, { content?: Record<string, object> }> };
export type OpenApiDocument = { paths: Record<string, Record<string, Operation>> };

type Answered = { status: number; contentType: string | undefined; text: string };

export type Contract = {
  /** Throws where the answer breaks the document. Answers whether the document has this operation at all. */
  check(method: string, path: string, answered: Answered): boolean;
};

export function createContract(document: OpenApiDocument): Contract {
  // Formats are checked by the schemas of zod that the document is made from; of the rest, nothing may be unknown.
  const ajv = new Ajv2020({ validateFormats: false, strict: false });
  ajv.addSchema(document, "openapi");
  const validators = new Map<string, ValidateFunction>();
  // A path that stands there as it is goes before one with parameters, as OpenAPI wants it.
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
