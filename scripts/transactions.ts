// Code inside a transaction may run more than once, so the time and new ids must be taken before it. This check finds functions of core
// that take them inside, directly or through other functions, and those with a session but no context, and reports planted faults.
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "@swc/core";
import { inTree } from "./boundaries.ts";

/** Fewer files mean that nothing was read. */
const LEAST_FILES = 50;
/** The types of values inside a transaction; migrations get only its session. */
const CONTEXTS = new Set(["ClientSession", "ReadContext", "SnapshotContext", "TxContext"]);
const NEW_IDS = new Set(["drawSeed", "newId", "randomBytes", "randomUUID", "ulid"]);

export type Fault = { readonly file: string; readonly line: number; readonly what: string };

/** Each breaks the rule once in its own way: the files of a tree, by fault. */
export const PLANTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "asks in what inTx is given": {
    "core/a.ts": "export const a = (app) => inTx(app.mongo, async (tx) => save(app.clock.now(), tx));",
  },
  "asks in a function that takes the context of a transaction": {
    "core/a.ts": "export async function a(app: App, tx?: ReadContext) { await save(app.newId('job'), tx); }",
  },
  "asks in a function that takes it among others": {
    "core/a.ts":
      "type Work = { app: App; tx: TxContext }; export const a = ({ app }: Work) => save(new Date());",
  },
  "asks in a method that takes it without its type": {
    "core/a.ts": "export const a = { end: (ref, tx) => save(ref, Date.now(), tx) };",
  },
  "asks in a function within one": {
    "core/a.ts": "export const a = (all, tx: TxContext) => all.map(() => randomUUID());",
  },
  "asks by a default": {
    "core/a.ts": "export function a(tx: TxContext, { at = clock.now() }) { save(at, tx); }",
  },
  "calls a function of its file that asks": {
    "core/a.ts":
      "const draw = () => drawSeed(); export const a = (app) => inTx(app.mongo, async (tx) => save(draw(), tx));",
  },
  "calls a function of another file that calls one that asks": {
    "core/a.ts":
      "import { two as b } from './b.ts'; export const a = (app, tx: TxContext) => save(b(app), tx);",
    "core/b.ts": "import { c } from './c.ts'; export function two(app) { return c(app); }",
    "core/c.ts": "export function c(app) { return { at: app.clock.now() }; }",
  },
  "takes a session apart from its context": {
    "core/shop/a.ts":
      "import type { ClientSession } from '../base/mongo/client.ts'; export const a = (session: ClientSession) => save(session);",
  },
};

/** The planted faults that are not reported exactly once. */
export async function findBlindSpots(planted = PLANTED): Promise<string[]> {
  const blind: string[] = [];
  for (const [what, files] of Object.entries(planted)) {
    const { faults } = await inTree(files, findFaults);
    if (faults.length !== 1) blind.push(what);
  }
  return blind;
}

/** A node of the syntax tree, without its many types: missing properties are undefined. */
type Node = { readonly type: string; readonly [key: string]: unknown };

type Fn = {
  /** Runs inside a transaction: it is passed to `inTx`, takes the context, or is inside such a function. */
  readonly isInside: boolean;
  /** The time or ids that it takes directly. */
  readonly asks: { readonly what: string; readonly at: number }[];
  /** The functions that it calls by name. */
  readonly calls: { readonly name: string; readonly at: number }[];
};

type Module = {
  readonly file: string;
  readonly text: string;
  /** The offset of its positions: the parser continues them from one file to the next. */
  readonly start: number;
  readonly functions: Fn[];
  /** Its top-level named functions. */
  readonly named: Map<string, Fn>;
  /** Local name -> file and name. */
  readonly imports: Map<string, { file: string; name: string }>;
  /** Its types that contain the context. */
  readonly withContext: Set<string>;
  /** Its imported names of the session type. */
  readonly sessionsAt: number[];
};

const FUNCTIONS = new Set([
  "ArrowFunctionExpression",
  "ClassMethod",
  "FunctionDeclaration",
  "FunctionExpression",
  "MethodProperty",
  "PrivateMethod",
]);

/** All files of core below `root`, and their uses of the time or an id inside a transaction. */
export async function findFaults(root: string): Promise<{ files: number; faults: Fault[] }> {
  const modules = new Map<string, Module>();
  for await (const file of glob("core/**/*.ts", { cwd: root }))
    modules.set(file, await readModule(file, readFileSync(join(root, file), "utf8")));
  const faults = [...modules.values()].flatMap((module) => faultsOf(module, modules));
  return { files: modules.size, faults };
}

function faultsOf(module: Module, modules: ReadonlyMap<string, Module>): Fault[] {
  const inside = module.functions.filter(({ isInside }) => isInside);
  const found = inside.flatMap(({ asks, calls }) => [
    ...asks,
    ...calls.flatMap(({ name, at }) => {
      const called = resolve(module, name, modules);
      // A function with the context is reported at its own place.
      const through = called && !called.fn.isInside && asksThrough(called, modules, new Set());
      return through ? [{ what: `${name}(), which asks for ${through}`, at }] : [];
    }),
  ]);
  // Below it a context is created, and migrations get its session.
  if (!module.file.startsWith("core/base/"))
    found.push(...module.sessionsAt.map((at) => ({ what: "ClientSession, and not for its context", at })));
  const bytes = Buffer.from(module.text);
  return found.map(({ what, at }) => ({
    file: module.file,
    line: bytes
      .subarray(0, at - module.start)
      .toString("utf8")
      .split("\n").length,
    what,
  }));
}

type Called = { readonly module: Module; readonly fn: Fn };

function resolve(module: Module, name: string, modules: ReadonlyMap<string, Module>): Called | undefined {
  const own = module.named.get(name);
  if (own) return { module, fn: own };
  const from = module.imports.get(name);
  const other = from && modules.get(from.file);
  const fn = other && from && other.named.get(from.name);
  return fn && other ? { module: other, fn } : undefined;
}

/** A function's uses, direct and through other functions. */
function asksThrough(
  { module, fn }: Called,
  modules: ReadonlyMap<string, Module>,
  seen: Set<Fn>,
): string | undefined {
  if (seen.has(fn)) return undefined;
  seen.add(fn);
  const [first] = fn.asks;
  if (first) return first.what;
  for (const { name } of fn.calls) {
    const called = resolve(module, name, modules);
    const through = called && asksThrough(called, modules, seen);
    if (through) return through;
  }
  return undefined;
}

async function readModule(file: string, text: string): Promise<Module> {
  const tree = (await parse(text, { syntax: "typescript", target: "esnext" })) as unknown as Node & {
    span: { start: number };
    body: Node[];
  };
  const module: Module = {
    file,
    text,
    // The tree starts at its first token, which may come after the file's start.
    start: tree.span.start - Buffer.byteLength(text.slice(0, firstWordAt(text))),
    functions: [],
    named: new Map(),
    imports: new Map(),
    withContext: new Set(),
    sessionsAt: [],
  };
  for (const statement of tree.body) readTop(module, statement);
  for (const statement of tree.body) walk(statement, { module, fn: undefined, name: undefined });
  return module;
}

function firstWordAt(text: string): number {
  return /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0].length ?? 0;
}

/** Records imports and the types that contain the context. */
function readTop({ file, imports, withContext, sessionsAt }: Module, statement: Node): void {
  if (statement.type === "ImportDeclaration") {
    const path = textOf(statement["source"]);
    if (
      nodesOf(statement["specifiers"]).some(
        (one) => textOf(one["imported"] ?? one["local"]) === "ClientSession",
      )
    )
      sessionsAt.push(startOf(statement));
    if (!path.startsWith(".")) return;
    for (const one of nodesOf(statement["specifiers"])) {
      const name = textOf(one["local"]);
      const there = one["imported"] ? textOf(one["imported"]) : name;
      imports.set(name, { file: join(dirname(file), path), name: there });
    }
    return;
  }
  const declared = asNode(statement["declaration"]) ?? statement;
  if (declared.type === "TsTypeAliasDeclaration" && holdsContext(declared["typeAnnotation"], withContext))
    withContext.add(textOf(declared["id"]));
}

type Place = {
  readonly module: Module;
  readonly fn: Fn | undefined;
  /** The name of the variable with this function as its value. */
  readonly name: string | undefined;
};

function walk(node: Node, place: Place): void {
  const { module, fn } = place;
  if (FUNCTIONS.has(node.type)) return enter(node, place, false);
  if (node.type === "CallExpression" || node.type === "NewExpression") {
    note(node, fn);
    const isTx = nameOf(node["callee"]) === "inTx";
    for (const argument of nodesOf(node["arguments"]).flatMap(({ expression }) => asNode(expression) ?? [])) {
      if (FUNCTIONS.has(argument.type)) enter(argument, place, isTx);
      else walk(argument, { ...place, name: undefined });
    }
    const callee = asNode(node["callee"]);
    if (callee) walk(callee, { ...place, name: undefined });
    return;
  }
  const name = node.type === "VariableDeclarator" && !fn ? textOf(node["id"]) : undefined;
  for (const child of Object.values(node).flatMap(nodesOf)) walk(child, { module, fn, name });
}

/** A function: its body counts for itself, and for the function around it when it is passed as an argument. */
function enter(node: Node, { module, fn: outer, name }: Place, isTx: boolean): void {
  const isInside = isTx || outer?.isInside === true || takesContext(node, module.withContext);
  const fn: Fn = { isInside, asks: [], calls: [] };
  module.functions.push(fn);
  const ownName = node.type === "FunctionDeclaration" ? textOf(node["identifier"]) : name;
  if (!outer && ownName) module.named.set(ownName, fn);
  for (const child of Object.values(node).flatMap(nodesOf)) walk(child, { module, fn, name: undefined });
  // A caller of the outer function may run this one.
  if (outer && !isInside) {
    outer.asks.push(...fn.asks);
    outer.calls.push(...fn.calls);
  }
}

/** Records uses of the time or an id, and all calls by name. */
function note(node: Node, fn: Fn | undefined): void {
  if (!fn) return;
  const at = startOf(node);
  const name = nameOf(node["callee"]);
  const isNew = node.type === "NewExpression";
  const of = nameOf(asNode(node["callee"])?.["object"]);
  if (isNew && name === "Date" && nodesOf(node["arguments"]).length === 0)
    fn.asks.push({ what: "new Date()", at });
  else if (name === "now" && (of === "clock" || of === "Date")) fn.asks.push({ what: `${of}.now()`, at });
  else if (name !== undefined && NEW_IDS.has(name)) fn.asks.push({ what: `${name}()`, at });
  else if (name !== undefined && asNode(node["callee"])?.type === "Identifier") fn.calls.push({ name, at });
}

/** The last name of `a`, `a.b` or `a.#b`. */
function nameOf(value: unknown): string | undefined {
  const node = asNode(value);
  if (node?.type === "Identifier") return textOf(node);
  return node?.type === "MemberExpression" ? textOf(node["property"]) : undefined;
}

function takesContext(node: Node, withContext: ReadonlySet<string>): boolean {
  const patterns = nodesOf(node["params"]).map((param) => asNode(param["pat"]) ?? param);
  const method = asNode(node["function"]);
  return (
    patterns.some((one) => isContext(one, withContext)) ||
    (method !== undefined && takesContext(method, withContext))
  );
}

/** By its type if it has one, else by its name. */
function isContext(pattern: Node, withContext: ReadonlySet<string>): boolean {
  const annotation = asNode(asNode(pattern["typeAnnotation"])?.["typeAnnotation"]);
  if (annotation) return holdsContext(annotation, withContext);
  if (pattern.type === "Identifier") return textOf(pattern) === "tx";
  const left = asNode(pattern["left"]);
  return left !== undefined && isContext(left, withContext);
}

/** Whether a type is or contains a context. A function type does not. */
function holdsContext(value: unknown, withContext: ReadonlySet<string>): boolean {
  const node = asNode(value);
  if (!node || node.type === "TsFunctionType" || node.type === "TsMethodSignature") return false;
  if (node.type === "TsTypeReference") {
    const name = textOf(node["typeName"]);
    if (CONTEXTS.has(name) || withContext.has(name)) return true;
  }
  return Object.values(node)
    .flatMap(nodesOf)
    .some((child) => holdsContext(child, withContext));
}

function asNode(value: unknown): Node | undefined {
  return typeof value === "object" && value !== null && "type" in value ? (value as Node) : undefined;
}

/** The nodes of a value: itself, or those of a list. Wrappers such as arguments count too. */
function nodesOf(value: unknown): Node[] {
  const all = Array.isArray(value) ? value : [value];
  return all.filter((one): one is Node => typeof one === "object" && one !== null && !("start" in one));
}

function startOf(node: Node): number {
  return (node["span"] as { start: number }).start;
}

function textOf(value: unknown): string {
  const text = asNode(value)?.["value"];
  return typeof text === "string" ? text : "";
}

if (import.meta.main) {
  const { files, faults } = await findFaults(fileURLToPath(new URL("..", import.meta.url)));
  for (const { file, line, what } of faults)
    console.error(`${file}:${line}: ${what} inside a transaction: take it before, and hand it in`);
  if (files < LEAST_FILES) console.error(`Only ${files} files were found.`);
  const blind = await findBlindSpots();
  for (const what of blind) console.error(`a planted function that ${what} was not reported`);
  if (faults.length > 0 || files < LEAST_FILES || blind.length > 0) process.exitCode = 1;
  console.log(`${files} files`);
}
