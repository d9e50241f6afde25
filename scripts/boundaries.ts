// Import rules for dependency-cruiser, each with a planted fault that it must report: a step of `npm run check`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseResult, type IForbiddenRuleType } from "dependency-cruiser";
import { CACHE_DIR } from "../runtime/mongod/binary-cache.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Fewer modules mean that the parser is missing and nothing was read. */
const LEAST_MODULES = 50;
const FOLDERS = [
  "proto",
  "runtime",
  "edge",
  "core",
  "gateway",
  "mcp",
  "cli",
  "clients",
  "scripts",
  "test",
  "bench",
];
const EDGES = "gateway|mcp|cli";
/** Processes, which an import would start. */
const ENTRIES = String.raw`^(core/entry/(main|worker|upgrade|backup|restore|doctor)|(gateway|mcp)/main|cli/atelier|scripts/(start|with-database|demo|faults|cluster|upgrade-test|check|gen|check-\w+|try-clients|model|release|try-image)|bench/run)\.ts$`;
/** A slice's documents in `store.ts`; larger slices have queries in `store-<purpose>.ts` next to it. */
const STORE = String.raw`(store|store-[a-z]+)\.ts$`;
/** Driver code about the server, or for tests and benchmarks only. */
const MAY_USE_DRIVER = String.raw`^core/base/mongo/|^core/[^/]+/[^/]+/${STORE}|^runtime/mongod/replica-set\.ts$|^(test|bench|scripts)/`;
const MAY_TRACE = String.raw`^(test|bench)/|^runtime/ops/otel\.ts$`;
const MAY_USE_GRPC = String.raw`^proto/|^core/entry/(server|calls|reflection)\.ts$|^core/kernel/rpc\.ts$|^core/[^/]+/[^/]+/rpc\.ts$|^(test|bench)/`;

/**
 * The order of the parts of each folder, from the lowest: a part may import earlier ones only. `/name/` is a folder, `/file.ts` a file,
 * `/*` every other file directly in the folder. The parts of a module of core are those in its README. The reasons are in
 * docs/decisions/module-order.md.
 */
export const LAYERS: readonly Layered[] = [
  layered("core", "/base/ /adapters/ /kernel/ /identity/ /shop/ /studio/ /operations/ /entry/"),
  ...["base", "adapters", "kernel", "identity", "shop", "studio", "operations"].map((module) => ({
    folder: `core/${module}`,
    layers: listedIn(`core/${module}`).map((name) => (name.endsWith(".ts") ? `/${name}` : `/${name}/`)),
  })),
  layered("gateway", "/gateway.ts /http/ /catalog/ /answers/ /openapi/ /openai/ /feeds/ /routes/ /site/ /*"),
  layered(
    "gateway/site",
    "/browser/ /assets/ /samples/ /design/ /layout/ /session/ /about/ /account/ /support/ /shop/ " +
      "/library/ /studio/ /inbox/ /credits/ /connect/ /docs/ /catalog/ /*",
  ),
  layered(
    "mcp",
    "/protocol/ /jobs/ /tools/ /resources/ /prompts/ /views/ /catalog/ /generation/ /member/ /*",
  ),
  layered("runtime", "/config/ /log/ /* /covers/ /keys/ /ops/ /process/ /mongod/"),
  layered("edge", "/http/ /core-connection.ts /*"),
];

type Layered = { folder: string; layers: readonly string[] };

function layered(folder: string, layers: string): Layered {
  return { folder, layers: layers.split(" ") };
}

export type Rule = IForbiddenRuleType & {
  name: string;
  /** Files of a tree that breaks the rule once: one of these imports another, or itself where there is one. */
  planted: Record<string, string>;
};

/**
 * What the folders of the service may import besides themselves, as in docs/architecture/overview.md: each of gateway, mcp and cli can run
 * alone, and none knows tests, scripts, measurements or clients.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  proto: ["runtime"],
  runtime: ["proto"],
  edge: ["proto", "runtime"],
  core: ["proto", "runtime"],
  gateway: ["proto", "runtime", "edge"],
  mcp: ["proto", "runtime", "edge"],
  cli: ["proto", "runtime", "edge"],
};

const FOLDER_RULES: readonly Rule[] = Object.entries(MAY_IMPORT).map(([folder, others]) => {
  const allowed = [folder, ...others];
  const forbidden = FOLDERS.find((other) => !allowed.includes(other)) ?? "";
  return {
    name: `${folder}-imports-only-what-it-may`,
    comment: `it may import ${others.join(", ")}`,
    from: { path: `^${folder}/` },
    to: { path: `^(${FOLDERS.join("|")})/`, pathNot: `^(${allowed.join("|")})/` },
    planted: importing(`${folder}/leak.ts`, `${forbidden}/file.ts`),
  };
});

/** A rule for each part except the last: it imports nothing that is listed after it. */
const LAYER_RULES: readonly Rule[] = LAYERS.flatMap(({ folder, layers }) =>
  layers.slice(0, -1).map((layer, height) => ({
    name: `no-arrow-up-from-${folder}${layer.replace("*", "loose-files").replace(/\/$/, "")}`,
    comment:
      "a part imports only those listed before it; what two parts need of each other belongs in the earlier one",
    from: pathsOf(folder, [layer], layers),
    to: pathsOf(folder, layers.slice(height + 1), layers),
    planted: importing(fileIn(folder, layer), fileIn(folder, layers[height + 1] ?? "")),
  })),
);

/** An unlisted folder is an error, so that a new one gets its place. */
const PLACE_RULES: readonly Rule[] = LAYERS.map(({ folder, layers }) => ({
  name: `every-folder-of-${folder.replace("/", "-")}-has-a-place`,
  comment: "a new folder gets its place in LAYERS",
  from: { path: `^${folder}/` },
  to: {
    path: `^${folder}/[^/]+/`,
    pathNot: layers.filter((layer) => layer.endsWith("/")).map((name) => `^${folder}${name}`),
  },
  planted: importing(`${folder}/start.ts`, `${folder}/parties/invite.ts`),
}));

export const RULES: readonly Rule[] = [
  ...FOLDER_RULES,
  ...LAYER_RULES,
  ...PLACE_RULES,
  onlyIn("driver-only-in-stores", "mongodb", MAY_USE_DRIVER),
  onlyIn("grpc-only-at-the-wire", "(@grpc|grpc-health-check)", MAY_USE_GRPC, "@grpc/grpc-js"),
  onlyIn(
    "stripe-only-in-its-adapter",
    "stripe",
    String.raw`^(core/adapters/payments/stripe[^/]*\.ts$|test/)`,
  ),
  // That file is loaded only if traces are on.
  onlyIn("traces-only-where-they-are-on", "@opentelemetry", MAY_TRACE, "@opentelemetry/api"),
  {
    name: "site-and-routes-apart",
    comment:
      "the website and the REST routes share code in folders next to them, and never import each other",
    from: { path: "^gateway/(site|routes)/" },
    to: { path: "^gateway/(site|routes)/", pathNot: "^gateway/$1/" },
    planted: importing("gateway/site/jobs.ts", "gateway/routes/jobs.ts"),
  },
  {
    name: "clients-stand-alone",
    comment: "they are installed where nothing of the service is; what builds them may use Node",
    from: { path: "^clients/", pathNot: "^clients/js/build\\.js$" },
    to: { pathNot: "^clients/" },
    planted: importing("clients/js/src/leak.ts", "proto/codes.ts"),
  },
  {
    name: "studio-and-shop-apart",
    comment: "generation and selling share what stands below both, never each other's",
    from: { path: "^core/(studio|shop)/" },
    to: { path: "^core/(studio|shop)/", pathNot: "^core/$1/" },
    planted: importing("core/studio/jobs/sell.ts", "core/shop/orders/place.ts"),
  },
  {
    name: "store-only-within-its-slice",
    comment:
      "across slices a use case calls another slice's use case or rules; the shapes of documents may be seen. " +
      "The audit compares what every slice has stored, past all their rules; a transaction on jobs or holds looks for work and " +
      "writes what its rules decided for every slice straight to the stores",
    from: {
      path: "^core/([^/]+/[^/]+)/",
      pathNot: String.raw`^core/(operations/audit/|identity/holds/holds\.ts$|studio/(runs/|jobs/write\.ts$))`,
    },
    to: { path: `^core/[^/]+/[^/]+/${STORE}`, pathNot: "^core/$1/", dependencyTypesNot: ["type-only"] },
    planted: {
      "core/studio/jobs/accept.ts":
        'import { balance } from "../../identity/credits/store-reads.ts"; console.log(balance);',
      "core/identity/credits/store-reads.ts": "export const balance = 1;",
    },
  },
  {
    name: "runs-know-the-store-of-jobs",
    comment:
      "a run reads and writes the documents of its jobs, and no others; claiming looks for work in the credits of accounts too",
    from: { path: "^core/studio/runs/", pathNot: String.raw`/claim\.ts$` },
    to: {
      path: `^core/[^/]+/[^/]+/${STORE}`,
      pathNot: "^core/studio/(runs|jobs)/",
      dependencyTypesNot: ["type-only"],
    },
    planted: {
      "core/studio/runs/finalize.ts":
        'import { hold } from "../../identity/credits/store-holds.ts"; console.log(hold);',
      "core/identity/credits/store-holds.ts": "export const hold = 1;",
    },
  },
  {
    name: "traces-are-loaded-late",
    comment: "an import at the start would make every process pay for it",
    from: { pathNot: "^(test|bench)/" },
    to: {
      path: String.raw`^runtime/ops/otel\.ts$`,
      dependencyTypesNot: ["type-only", "dynamic-import"],
    },
    planted: importing("runtime/ops/leak.ts", "runtime/ops/otel.ts"),
  },
  {
    name: "rules-are-pure",
    comment: "what is named rules decides from what it is given: no store, no server, no input or output",
    from: { path: String.raw`^(core|runtime)/.+[/-]rules\.ts$` },
    to: {
      path: String.raw`^core/(base/mongo/|entry/server\.ts|[^/]+/[^/]+/(${STORE}|rpc\.ts$))|^(node:)?(fs|net|http|https|child_process|timers)`,
      dependencyTypesNot: ["type-only"],
    },
    planted: {
      "core/studio/jobs/claim-rules.ts": 'import { readFileSync } from "node:fs"; console.log(readFileSync);',
    },
  },
  {
    name: "nothing-imports-an-entry",
    comment: "importing an entry starts a process",
    from: {},
    to: { path: ENTRIES },
    planted: importing("gateway/app.ts", "gateway/main.ts"),
  },
  {
    name: "embedded-server-is-the-start's",
    comment: "only what starts things embeds a database; a role on its own is told where it is",
    from: { path: `^(proto|edge|core|${EDGES})/` },
    to: { path: String.raw`^runtime/mongod/` },
    planted: importing("core/entry/main.ts", "runtime/mongod/mongod.ts"),
  },
  {
    name: "no-development-dependency-in-the-service",
    comment:
      "an installation without development dependencies must run; finding a mongod is for machines that have none",
    from: { path: `^(proto|runtime|edge|core|${EDGES})/`, pathNot: String.raw`^runtime/mongod/find\.ts$` },
    to: { dependencyTypes: ["npm-dev"] },
    planted: { "core/leak.ts": 'import { test } from "vitest"; console.log(test);' },
  },
  {
    name: "no-cycles",
    comment: "two files that need each other are one, or miss a third",
    from: {},
    to: { circular: true },
    planted: {
      "core/studio/jobs/a.ts": 'import { b } from "./b.ts"; export const a = () => b;',
      "core/studio/jobs/b.ts": 'import { a } from "./a.ts"; export const b = () => a;',
    },
  },
  {
    name: "everything-resolves",
    from: {},
    to: { couldNotResolve: true },
    planted: { "core/leak.ts": 'import "./gone.ts";' },
  },
];

export type Boundaries = { modules: number; violations: { rule: string; from: string; to: string }[] };

/** Returns the quoted names in the first cells of a README's table. */
export function listedIn(folder: string): string[] {
  const readme = readFileSync(join(ROOT, folder, "README.md"), "utf8");
  return [...readme.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
}

/** Returns dependency-cruiser's patterns for the files of these parts. */
function pathsOf(
  folder: string,
  chosen: readonly string[],
  layers: readonly string[],
): { path: string; pathNot: string[] } {
  const named = layers.filter((layer) => layer.endsWith(".ts") && !chosen.includes(layer));
  const pattern = (layer: string) =>
    layer === "/*" ? "/[^/]+$" : layer.endsWith("/") ? layer : `${layer.replace(".", "\\.")}$`;
  return {
    path: `^${folder}(${chosen.map(pattern).join("|")})`,
    pathNot: named.map((layer) => `^${folder}${pattern(layer)}`),
  };
}

function fileIn(folder: string, layer: string): string {
  return layer.endsWith("/") ? `${folder}${layer}file.ts` : `${folder}${layer.replace("*", "loose.ts")}`;
}

/** Only files with these paths import the packages. `planted` is one of them. */
function onlyIn(name: string, packages: string, paths: string, planted = packages): Rule {
  return {
    name,
    comment: "one layer knows the terms of a package",
    from: { pathNot: paths },
    to: { path: `node_modules/${packages}/` },
    planted: { "core/studio/runs/finalize.ts": `import * as used from "${planted}"; console.log(used);` },
  };
}

/** A tree with one import. */
function importing(from: string, to: string): Record<string, string> {
  return { [from]: `import "./${relative(dirname(from), to)}";`, [to]: "export {};" };
}

/** Checks the tree under `root` against the rules. */
export async function findViolations(root: string, rules: readonly Rule[] = RULES): Promise<Boundaries> {
  const { output } = await cruise(
    FOLDERS,
    {
      baseDir: root,
      validate: true,
      ruleSet: { forbidden: rules.map(({ planted: _, ...rule }) => ({ severity: "error", ...rule })) },
      doNotFollow: { path: "node_modules" },
      exclude: { path: "^proto/types/" },
      // dependency-cruiser has no parser for TypeScript 7, and without one it finds no modules and reports nothing.
      parser: "swc",
      tsPreCompilationDeps: true,
    },
    { extensions: [".ts", ".js"], conditionNames: ["import", "node", "default"], exportsFields: ["exports"] },
  );
  const { summary } = output as ICruiseResult;
  return {
    modules: summary.totalCruised,
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}

/** Plants the faults of all rules in one tree. Returns the rules that did not report theirs. */
export async function findBluntRules(rules: readonly Rule[] = RULES): Promise<string[]> {
  const texts: Record<string, Set<string>> = {};
  for (const { planted } of rules)
    for (const [path, text] of Object.entries(planted)) (texts[path] ??= new Set()).add(text);
  // A file that breaks several rules has the imports of all of them.
  const tree = Object.fromEntries(Object.entries(texts).map(([path, all]) => [path, [...all].join("\n")]));
  const { violations } = await inTree(tree, (root) => findViolations(root, rules));
  const reports = ({ name, planted }: Rule) =>
    violations.some(
      ({ rule, from, to }) =>
        rule === name && from in planted && (to in planted || Object.keys(planted).length === 1),
    );
  return rules.filter((rule) => !reports(rule)).map(({ name }) => name);
}

/** Runs `work` on a tree of these files, inside the project so that packages resolve as usual. */
export async function inTree<T>(
  files: Record<string, string>,
  work: (root: string) => Promise<T>,
): Promise<T> {
  mkdirSync(CACHE_DIR, { recursive: true });
  const root = mkdtempSync(join(CACHE_DIR, "planted-"));
  try {
    for (const folder of FOLDERS) mkdirSync(join(root, folder));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return await work(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { modules, violations } = await findViolations(ROOT);
  for (const { rule, from, to } of violations) console.error(`${rule}: ${from} -> ${to}`);
  if (modules < LEAST_MODULES) console.error(`Only ${modules} modules were found; the parser does not work.`);
  const blunt = await findBluntRules();
  for (const rule of blunt) console.error(`${rule}: did not report the fault planted for it`);
  if (violations.length > 0 || modules < LEAST_MODULES || blunt.length > 0) process.exitCode = 1;
  console.log(`${modules} modules`);
}
