// The host side of the extension's own library in a page: its published modules, with package names replaced by URLs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HostScript } from "./view-host.ts";

const MODULES = "/modules/";
const PACKAGES = fileURLToPath(new URL("../../node_modules/", import.meta.url));
const IMPORT = /\b(from|import)(\s*\(?\s*)"([^".][^"]*)"/g;
/** Where a package has a browser version. */
const IN_BROWSERS: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/client/_shims": "@modelcontextprotocol/client/dist/shimsBrowser.mjs",
};

export const OFFICIAL_HOST: HostScript = {
  source: `
    import { AppBridge, PostMessageTransport } from "${addressOf("@modelcontextprotocol/ext-apps/app-bridge")}";
    const frame = document.querySelector("#view");
    const view = frame.contentWindow;
    globalThis.heard = [];
    globalThis.send = (message) => view.postMessage(message, "*");
    addEventListener("message", ({ source, data }) => void (source === view && heard.push(data)));
    const bridge = new AppBridge(
      null,
      { name: "test", version: "1" },
      { serverTools: {}, openLinks: {}, downloadFile: {}, updateModelContext: { text: {} } },
      { hostContext: { theme: "light" } },
    );
    bridge.oncalltool = ({ name, arguments: args }) => callTool(name, args ?? {});
    bridge.onopenlink = async () => ({});
    bridge.ondownloadfile = async () => ({});
    bridge.onupdatemodelcontext = async () => ({});
    bridge.onsizechange = ({ height }) => void (frame.style.height = height + "px");
    bridge.oninitialized = async () => {
      await bridge.sendToolInput({ arguments: setup.args });
      await bridge.sendToolResult(setup.result);
    };
    await bridge.connect(new PostMessageTransport(view, view));
    frame.src = "http://view.localhost/";
  `,
  file: (path) => {
    if (!path.startsWith(MODULES)) return undefined;
    const source = readFileSync(join(PACKAGES, path.slice(MODULES.length)), "utf8");
    const body = source.replace(IMPORT, (match, word: string, space: string, specifier: string) =>
      isPackage(specifier) ? `${word}${space}"${addressOf(specifier)}"` : match,
    );
    return { body, contentType: "text/javascript; charset=utf-8" };
  },
};

function addressOf(specifier: string): string {
  const inBrowsers = IN_BROWSERS[specifier];
  if (inBrowsers !== undefined) return MODULES + inBrowsers;
  return MODULES + fileURLToPath(import.meta.resolve(specifier)).slice(PACKAGES.length);
}

/** A similar text may be part of a string. */
function isPackage(specifier: string): boolean {
  if (specifier in IN_BROWSERS) return true;
  try {
    return import.meta.resolve(specifier).startsWith("file:");
  } catch {
    return false;
  }
}
