// Puts what a schema finds wrong into plain words, under the field name that the caller knows. Values are never repeated: they may be
// secret or very long.
import { z } from "zod";
import { AppError, type Issue } from "../codes.ts";

const MAX_ISSUES = 20;
const MAX_PATH = 200;

/**
 * Returns the value as the schema parses it. Null in an optional field counts as left out, because many clients send it. Throws AppError
 * invalid_request, which names every wrong field.
 */
export function parseRequest<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  return parsePart(schema, value, describe);
}

/** The same for the query of an address, where a parameter that is sent twice arrives as a list. */
export function parseQuery<T extends z.ZodType>(schema: T, query: unknown): z.output<T> {
  return parsePart(schema, query, (issue) => {
    const isTwice = Array.isArray(issue.input) && issue.code !== "custom" && !isAboutList(issue);
    return isTwice ? [{ path: toPath(issue.path), message: "must be sent only once" }] : describe(issue);
  });
}

function isAboutList(issue: z.core.$ZodIssue): boolean {
  return "origin" in issue && issue.origin === "array";
}

function parsePart<T extends z.ZodType>(
  schema: T,
  value: unknown,
  toIssue: (issue: z.core.$ZodIssue) => Issue[],
): z.output<T> {
  // A missing field and one of the wrong type can be told apart only with the input.
  const parsed = schema.safeParse(leaveOutNulls(schema, value), { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalidRequest(withoutExactBounds(parsed.error.issues).flatMap(toIssue).slice(0, MAX_ISSUES));
}

function leaveOutNulls(schema: z.ZodType, value: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const isLeftOut = ([name, field]: [string, unknown]): boolean => {
    const wanted: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return field === null && wanted instanceof z.ZodType && wanted.isOptional() && !wanted.isNullable();
  };
  const fields = Object.entries(value);
  return fields.some(isLeftOut) ? Object.fromEntries(fields.filter((field) => !isLeftOut(field))) : value;
}

export function invalidRequest(issues: Issue[]): AppError {
  return new AppError("invalid_request", { issues });
}

/** Converts an error that was made with `reportInput`. */
export function toIssues(error: Pick<z.core.$ZodError, "issues">): Issue[] {
  return withoutExactBounds(error.issues).flatMap(describe).slice(0, MAX_ISSUES);
}

/** A whole number has the bounds of exact numbers besides its own. Where it breaks both, only its own are of use. */
function withoutExactBounds(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const isExactBound = (issue: z.core.$ZodIssue) => "origin" in issue && issue.origin === "int";
  const others = new Set(issues.filter((issue) => !isExactBound(issue)).map(({ path }) => toPath(path)));
  return issues.filter((issue) => !isExactBound(issue) || !others.has(toPath(issue.path)));
}

function describe(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: toPath([...issue.path, key]), message: "is not a known field" }));
  }
  if (issue.code === "invalid_union") return describeUnion(issue);
  return [{ path: toPath(issue.path), message: toWords(issue) }];
}

/** What is wrong with the alternative that is nearest to the value: the one with the fewest faults. */
function describeUnion(issue: z.core.$ZodIssueInvalidUnion): Issue[] {
  const { path, discriminator } = issue;
  if (discriminator !== undefined && "options" in issue && issue.options) {
    const named = `must be one of ${issue.options.map(String).join(", ")}`;
    return [{ path: toPath(path), message: issue.input === undefined ? "is required" : named }];
  }
  // A schema with its own words for what it accepts knows better.
  if (issue.message !== "Invalid input") return [{ path: toPath(path), message: issue.message }];
  const [nearest = []] = issue.errors.toSorted((one, other) => one.length - other.length);
  return withoutExactBounds(nearest).flatMap((inner) =>
    describe({ ...inner, path: [...path, ...inner.path] }),
  );
}

function toWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is required"
        : `must be ${TYPES[issue.expected] ?? `of type ${issue.expected}`}`;
    case "invalid_value":
      if (issue.input === undefined) return "is required";
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return limit(issue.origin, "at least", Number(issue.minimum));
    case "too_big":
      return limit(issue.origin, "at most", Number(issue.maximum));
    case "invalid_format":
      return FORMATS[issue.format] ?? issue.message;
    case "invalid_key":
      return `has a name that ${issue.issues.map(toWords).join(" and ")}`;
    default:
      return issue.message;
  }
}

const TYPES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
};

const FORMATS: Record<string, string> = {
  datetime: "must be a time like 2026-01-31T09:30:00Z",
  url: "must be an absolute URL",
};

function limit(origin: string, bound: "at least" | "at most", count: number): string {
  const unit = origin === "string" ? " character" : origin === "array" ? " item" : "";
  if (unit !== "" && bound === "at least" && count === 1) return "must not be empty";
  return unit === ""
    ? `must be ${bound} ${count}`
    : `must have ${bound} ${count}${unit}${count === 1 ? "" : "s"}`;
}

function toPath(path: readonly PropertyKey[]): string {
  const joined = path.map(String).join(".");
  return joined.length > MAX_PATH ? `${joined.slice(0, MAX_PATH).toWellFormed()}…` : joined;
}
