// The bundle that desktop assistants install with a double click (MCPB): a manifest and a small bridge, zipped with the address
// of this installation. It contains no key: the assistant asks for one and stores it.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { strToU8, type Zippable, zipSync } from "fflate";

const FILES = ["icon.png", "server/bridge.mjs"];
/** The format has no times before 1980, and a fixed time gives the same bytes at each start. */
const MADE_AT = new Date(1980, 0, 1);

export const BUNDLE_NAME = "atelier.mcpb";
export const BUNDLE_TYPE = "application/zip";

type Manifest = { server: { mcp_config: { env: Record<string, string> } } } & Record<string, unknown>;

/** `endpoint` is the address of the tools, `site` that of the pages about them. */
export function makeDesktopBundle(endpoint: string, site: string): Buffer {
  const manifest = JSON.parse(read("manifest.json").toString("utf8")) as Manifest;
  manifest.server.mcp_config.env["ATELIER_URL"] = endpoint;
  const links = { homepage: site, documentation: `${site}/docs`, support: `${site}/support` };
  const entries: Zippable = {
    "manifest.json": [strToU8(`${JSON.stringify({ ...manifest, ...links }, null, 2)}\n`), { mtime: MADE_AT }],
  };
  for (const name of FILES) entries[name] = [read(name), { mtime: MADE_AT }];
  return Buffer.from(zipSync(entries, { level: 9 }));
}

function read(name: string): Buffer {
  return readFileSync(fileURLToPath(new URL(`desktop/${name}`, import.meta.url)));
}
