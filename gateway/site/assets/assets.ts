// Style sheets, native ES modules and the font of the pages. The name of each contains the hash of its bytes, so browsers cache it permanently.
// Modules import each other and packages by their names on disk; these names are replaced by addresses here.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export type Asset = { readonly path: string; readonly contentType: string; readonly body: Buffer };

export type Assets = {
  /** The address of a file by its name, for example `site.css` or `copy.js`. Throws if no such file exists. */
  url(name: string): string;
  /**
   * The addresses of all modules that a module imports, directly or indirectly, so that a page can preload them. The module itself is left
   * out.
   */
  needs(name: string): readonly string[];
  find(path: string): Asset | undefined;
  /** Identifies the version of all code that makes pages. A cached page of another version is not used. */
  readonly version: string;
};

const SITE = fileURLToPath(new URL("..", import.meta.url));
export const ASSET_PREFIX = "/assets/";
/** Modules of the service that browsers load as well. */
const SHARED = fileURLToPath(new URL("../../../proto/resources", import.meta.url));
/** The parts, in order, of the style sheet that every page loads. Other sheets are served separately under their file names. */
const SITE_SHEETS = ["tokens.css", "base.css", "components.css", "layout.css"];
/** Packages that modules may import. */
const PACKAGES = ["preact", "preact/hooks", "htm", "htm/preact"];
const HASH_LENGTH = 12;
const IMPORT = /\b(from|import)(\s*)"([^"]+)"/g;
const FONT = /url\("([^"/]+\.woff2)"\)/g;
const SOURCE_MAP = /\n?\/\/# sourceMappingURL=.*\s*$/;

/** Reads all files once. Throws if a module imports a missing file, or if modules import each other in a circle. */
export function loadAssets(): Assets {
  const byName = new Map<string, { asset: Asset; needs: readonly string[] }>();
  const add = (
    name: string,
    contentType: string,
    content: string | Buffer,
    needs: readonly string[] = [],
  ) => {
    const body = Buffer.from(content);
    const hash = hashOf(body);
    const [stem, extension] = splitName(name);
    const path = `${ASSET_PREFIX}${stem}.${hash}.${extension}`;
    byName.set(name, { asset: { path, contentType, body }, needs });
    return path;
  };

  for (const [name, file] of findFiles(SITE, ".woff2")) add(name, "font/woff2", readFileSync(file));
  const sheets = findFiles(SITE, ".css");
  const partOf = (name: string) =>
    read(sheets, name).replace(FONT, (_match, font: string) => `url("${known(byName, font).asset.path}")`);
  add("site.css", "text/css; charset=utf-8", SITE_SHEETS.map(partOf).join("\n"));
  for (const name of sheets.keys())
    if (!SITE_SHEETS.includes(name)) add(name, "text/css; charset=utf-8", partOf(name));

  const modules = new Map([
    ...findFiles(join(SITE, "browser"), ".js"),
    ...findFiles(join(SITE, "studio"), ".js"),
    ...findFiles(SHARED, ".js"),
    ...PACKAGES.map((name) => [name, packageFile(name)] as const),
  ]);
  const addModule = (name: string, importers: readonly string[]): void => {
    if (importers.includes(name)) throw new Error(`${[...importers, name].join(" imports ")}: a circle`);
    if (byName.has(name)) return;
    const needs = new Set<string>();
    const text = read(modules, name)
      .replace(SOURCE_MAP, "\n")
      .replace(IMPORT, (_match, word: string, space: string, specifier: string) => {
        const wanted = specifier.startsWith(".") ? basename(specifier) : specifier;
        addModule(wanted, [...importers, name]);
        const { asset, needs: further } = known(byName, wanted);
        for (const path of [asset.path, ...further]) needs.add(path);
        return `${word}${space}"${asset.path}"`;
      });
    add(name, "text/javascript; charset=utf-8", text, [...needs]);
  };
  for (const name of modules.keys()) addModule(name, []);

  const byPath = new Map([...byName.values()].map(({ asset }) => [asset.path, asset]));
  return {
    url: (name) => known(byName, name).asset.path,
    needs: (name) => known(byName, name).needs,
    find: (path) => byPath.get(path),
    version: hashOf(...filesIn(SITE).map((path) => readFileSync(path))),
  };
}

function hashOf(...parts: readonly Buffer[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("base64url").slice(0, HASH_LENGTH);
}

function known<T>(map: ReadonlyMap<string, T>, name: string): T {
  const value = map.get(name);
  if (value === undefined) throw new Error(`there is no asset ${name}`);
  return value;
}

function read(files: ReadonlyMap<string, string>, name: string): string {
  return readFileSync(known(files, name), "utf8");
}

/** The files below a folder by name. Names are unique across folders. */
function findFiles(folder: string, extension: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of filesIn(folder)) {
    const name = basename(path);
    if (!name.endsWith(extension)) continue;
    if (found.has(name)) throw new Error(`two assets are called ${name}`);
    found.set(name, path);
  }
  return found;
}

/** The paths in a stable order. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort((a, b) => (a < b ? -1 : 1));
}

function packageFile(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}

/** For example, "htm/preact" is served as htm-preact.<hash>.js. */
function splitName(name: string): [stem: string, extension: string] {
  const dot = name.lastIndexOf(".");
  return dot === -1 ? [name.replaceAll("/", "-"), "js"] : [name.slice(0, dot), name.slice(dot + 1)];
}
