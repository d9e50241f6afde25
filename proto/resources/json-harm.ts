// Finds harmful parts of JSON from outside: names that reach a prototype, text and numbers that cannot be stored or sent unchanged, and
// nesting deep enough to exhaust a stack.
import type { Issue } from "../codes.ts";

const MAX_DEPTH = 64;

type Place = { value: object; path: string; depth: number; parentName: string };

/**
 * Returns the first harmful part, by the name of its field. It uses its own list instead of recursion, because 64 KiB hold enough brackets
 * to overflow the stack.
 */
export function findHarm(document: unknown): Issue | undefined {
  // The empty name stands for a document that is only a text.
  const places: Place[] = [{ value: { "": document }, path: "", depth: -1, parentName: "" }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { value, path, depth, parentName } = place;
    if (depth >= MAX_DEPTH)
      return { path: shorten(path), message: `is nested more than ${MAX_DEPTH} levels deep` };
    for (const [name, child] of Object.entries(value)) {
      const childPath = path === "" ? name : `${path}.${name}`;
      if (name === "__proto__" || (name === "prototype" && parentName === "constructor")) {
        return { path: shorten(childPath), message: "is a name that is not allowed" };
      }
      const wrongName = findWrongText(name);
      if (wrongName) return { path: shorten(path), message: `has a field whose name ${wrongName}` };
      // Most of a request is text, which is checked here; only values with parts are put on the list.
      const wrong = typeof child === "string" && findWrongText(child);
      if (wrong) return { path: childPath, message: wrong };
      // Written as JSON again it would be null, which stands for a field that is left out.
      if (child === Infinity || child === -Infinity)
        return { path: childPath, message: "is too large a number" };
      if (typeof child === "object" && child !== null)
        places.push({ value: child, path: childPath, depth: depth + 1, parentName: name });
    }
  }
  return undefined;
}

function findWrongText(text: string): string | undefined {
  if (text.includes("\u0000")) return "contains a NUL character";
  if (!text.isWellFormed()) return "contains half of a surrogate pair; send well-formed Unicode";
  return undefined;
}

function shorten(path: string): string {
  const MAX_LENGTH = 200;
  return path.length > MAX_LENGTH ? `${path.slice(0, MAX_LENGTH)}…`.toWellFormed() : path;
}
