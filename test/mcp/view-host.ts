// A host of views in a real browser, as the extension describes it: each view in a frame of another origin with its resource's policy, and
// its requests answered by an endpoint. A visit fails for browser errors.
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Frame, Page } from "playwright-core";
import { startChromium } from "../site/support/chromium.ts";
import { waitFor } from "../support/wait-for.ts";
import type { TestEndpoint } from "./endpoint-server.ts";
import { callTool, request } from "./messages.ts";

/** Saved for people; not compared. */
const SCREENSHOTS = fileURLToPath(new URL("../../artifacts/views", import.meta.url));
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const BOUND_MS = 60_000;
const HOST = "http://host.localhost";
const VIEW = "http://view.localhost";
const HOSTILE = "http://hostile.localhost";

/** As the endpoint returns it to clients with views. */
export type ViewResource = { html: string; csp: { resourceDomains?: string[] } };

export type ToolResult = { content: object[]; structuredContent?: object; isError?: boolean };

export type Showing = {
  readonly page: Page;
  /** The view itself. */
  readonly frame: Frame;
  /** Runs in another frame that is not the host. */
  readonly hostile: Frame;
  /** Sends as the host. */
  send(message: unknown): Promise<void>;
  /** The messages of the view to the host. */
  heard(): Promise<Record<string, unknown>[]>;
  text(): Promise<string>;
  waitForText(part: string | RegExp): Promise<void>;
  /** Checks axe and the width of the frame in both colour schemes; saves artifacts/views/<name>-<light>.png. */
  expectGoodInBothLights(name: string): Promise<void>;
};

export type ViewHost = {
  /** Shows the view of a tool's result, which is `result` or the tool's response. */
  show(
    options: { uri: string; tool: string; args?: object; result?: ToolResult; script?: HostScript },
    work: (showing: Showing) => Promise<void>,
  ): Promise<void>;
  close(): Promise<void>;
};

/** The host's page: its module, and its other files by path. */
export type HostScript = {
  readonly source: string;
  readonly file?: (path: string) => { body: string; contentType: string } | undefined;
};

const SESSION = { "mcp-session-id": "views-test" };

export async function readView({ post }: Pick<TestEndpoint, "post">, uri: string): Promise<ViewResource> {
  const { json } = await post(request("resources/read", { uri }), SESSION);
  const { contents } = (json as { result: { contents: { text: string; _meta: object }[] } }).result;
  const { text, _meta } = contents[0] as { text: string; _meta: { ui: { csp: ViewResource["csp"] } } };
  return { html: text, csp: _meta.ui.csp };
}

/** The policy that the extension requires for a view with these domains. */
function policyOf({ resourceDomains = [] }: ViewResource["csp"]): string {
  const domains = resourceDomains.join(" ");
  return [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline' ${domains}`,
    `style-src 'self' 'unsafe-inline' ${domains}`,
    `img-src 'self' data: ${domains}`,
    `media-src 'self' data: ${domains}`,
    "connect-src 'none'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'self'",
  ].join("; ");
}

/** A minimal host. `setup` exists before it runs. */
const OWN_SCRIPT: HostScript = {
  source: `
    const frame = document.querySelector("#view");
    globalThis.heard = [];
    globalThis.send = (message) => frame.contentWindow.postMessage(message, "*");
    const notify = (method, params) => send({ jsonrpc: "2.0", method, params });
    addEventListener("message", async ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      heard.push(data);
      const { id, method, params } = data;
      const answer = (result) => send({ jsonrpc: "2.0", id, result });
      if (method === "ui/initialize") answer({
        protocolVersion: "2026-01-26",
        hostInfo: { name: "test", version: "1" },
        hostCapabilities: { serverTools: {}, openLinks: {}, downloadFile: {}, updateModelContext: { text: {} } },
        hostContext: { theme: "light" },
      });
      else if (method === "ui/notifications/initialized") {
        notify("ui/notifications/tool-input", { arguments: setup.args });
        notify("ui/notifications/tool-result", setup.result);
      } else if (method === "ui/notifications/size-changed") frame.style.height = params.height + "px";
      else if (method === "tools/call") answer(await callTool(params.name, params.arguments));
      else if (id !== undefined && method !== undefined) answer({});
    });
    frame.src = "${VIEW}/";
  `,
};

export async function openViewHost({ post }: Pick<TestEndpoint, "post">): Promise<ViewHost> {
  const chromium = await startChromium();
  const ask = async (name: string, args: object) => {
    const { json } = await post(callTool(name, args), SESSION);
    return (json as { result: ToolResult }).result;
  };

  return {
    async show({ uri, tool, args = {}, result, script = OWN_SCRIPT }, work) {
      const view = await readView({ post }, uri);
      const setup = { args, result: result ?? (await ask(tool, args)), tool };
      const context = await chromium.newContext({ viewport: { width: 720, height: 800 } });
      context.setDefaultTimeout(BOUND_MS);
      try {
        const page = await context.newPage();
        const problems = watchForProblems(page, view.csp);
        await page.exposeFunction("callTool", ask);
        await servePages(page, view, script, setup);
        await page.goto(`${HOST}/`);
        const frameAt = (origin: string) =>
          waitFor(origin, () => page.frames().find((frame) => frame.url().startsWith(origin)));
        const [frame, hostile] = [await frameAt(VIEW), await frameAt(HOSTILE)];
        await work(showingOf(page, frame, hostile));
        if (problems.length > 0) throw new Error(`the browser said: ${problems.join("\n")}`);
      } finally {
        await context.close();
      }
    },
    close: () => chromium.close(),
  };
}

async function servePages(page: Page, view: ViewResource, script: HostScript, setup: object): Promise<void> {
  const html = "text/html; charset=utf-8";
  const hostPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title></head>
    <body style="margin:0"><iframe id="view" title="View" style="width:100%;border:0"
    sandbox="allow-scripts"></iframe><iframe title="Hostile" hidden src="${HOSTILE}/"></iframe>
    <script>globalThis.setup = ${JSON.stringify(setup).replaceAll("<", "\\u003c")};</script>
    <script type="module">${script.source}</script></body></html>`;
  await page.route(`${HOST}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const file = script.file?.(pathname);
    return file ? route.fulfill(file) : route.fulfill({ body: hostPage, contentType: html });
  });
  await page.route(`${VIEW}/**`, (route) =>
    route.fulfill({
      body: view.html,
      headers: { "content-type": html, "content-security-policy": policyOf(view.csp) },
    }),
  );
  await page.route(`${HOSTILE}/**`, (route) => route.fulfill({ body: "<!doctype html>", contentType: html }));
  for (const domain of view.csp.resourceDomains ?? [])
    await page.route(`${domain}/**`, (route) => route.fulfill({ body: "", contentType: "image/webp" }));
}

function watchForProblems(page: Page, { resourceDomains = [] }: ViewResource["csp"]): string[] {
  const problems: string[] = [];
  const known = [HOST, VIEW, HOSTILE, "data:", ...resourceDomains];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
  page.on("request", (asked) => {
    if (!known.some((origin) => asked.url().startsWith(origin)))
      problems.push(`asked for ${asked.url().slice(0, 100)}`);
  });
  return problems;
}

function showingOf(page: Page, frame: Frame, hostile: Frame): Showing {
  const text = async () => String(await frame.evaluate("document.body.innerText"));
  const send = (message: unknown) =>
    page.evaluate((one) => (globalThis as unknown as { send(message: unknown): void }).send(one), message);
  return {
    page,
    frame,
    hostile,
    send,
    heard: () => page.evaluate("globalThis.heard") as Promise<Record<string, unknown>[]>,
    text,
    waitForText: async (part) => {
      await waitFor(`the view to say ${String(part)}`, async () => {
        const said = await text();
        return typeof part === "string" ? said.includes(part) : part.test(said);
      });
    },
    expectGoodInBothLights: async (name) => {
      for (const theme of ["light", "dark"] as const) {
        const method = "ui/notifications/host-context-changed";
        await send({ jsonrpc: "2.0", method, params: { theme } });
        await waitFor(
          theme,
          async () => (await frame.evaluate("document.documentElement.style.colorScheme")) === theme,
        );
        await frame.evaluate(AXE);
        const { violations } = (await frame.evaluate("axe.run()")) as AxeResults;
        const faults = violations.flatMap(({ id, nodes }) =>
          nodes.map((node) => `${id}: ${node.failureSummary}`),
        );
        if (faults.length > 0) throw new Error(`axe found in ${theme}: ${faults.join("\n")}`);
        const fits = await frame.evaluate("document.documentElement.scrollWidth <= innerWidth");
        if (fits !== true) throw new Error(`the view is wider than its frame in ${theme}`);
        const path = join(SCREENSHOTS, `${name}-${theme}.png`);
        mkdirSync(dirname(path), { recursive: true });
        await page.screenshot({ path, fullPage: true });
      }
    },
  };
}
