// Finds harmful parts of JSON from outside: names that reach a prototype, text and numbers that cannot be stored or sent unchanged, and
// nesting deep enough to exhaust a stack.
import type { Issue } from "../codes.ts";

const MAX_DEPTH = 64;

/** Returns the first harmful part, by the name of its field. */
export function findHarm(document: unknown): Issue | undefined {
  const harm = harmOf(document, -1, "");
  return harm && { ...harm, path: shorten(harm.path) };
}

/** `name` is the name of the value. The path begins below the value. */
function harmOf(value: unknown, depth: number, name: string): Issue | undefined {
  if (typeof value === "string") return inText(value);
  // Written as JSON again it would be null, which stands for a field that is left out.
  if (value === Infinity || value === -Infinity) return { path: "", message: "is too large a number" };
  if (typeof value !== "object" || value === null) return undefined;
  return depth + 1 < MAX_DEPTH
    ? inFields(value, depth + 1, name)
    : { path: "", message: `is nested more than ${MAX_DEPTH} levels deep` };
}

function inFields(value: object, depth: number, parentName: string): Issue | undefined {
  for (const name of Object.keys(value)) {
    const wrong = inText(name);
    if (wrong) return { path: "", message: `has a field whose name ${wrong.message}` };
    const harm =
      name === "__proto__" || (name === "prototype" && parentName === "constructor")
        ? { path: "", message: "is a name that is not allowed" }
        : harmOf(value[name as keyof typeof value], depth, name);
    if (harm) return { path: harm.path === "" ? name : `${name}.${harm.path}`, message: harm.message };
  }
  return undefined;
}

function inText(text: string): Issue | undefined {
  if (text.includes("\u0000")) return { path: "", message: "contains a NUL character" };
  if (!text.isWellFormed())
    return { path: "", message: "contains half of a surrogate pair; send well-formed Unicode" };
  return undefined;
}

function shorten(path: string): string {
  const MAX_LENGTH = 200;
  return path.length > MAX_LENGTH ? `${path.slice(0, MAX_LENGTH)}…`.toWellFormed() : path;
}
