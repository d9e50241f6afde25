// Code samples, parsed by the shell, JavaScript and Python. A prompt stays a prompt.
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import {
  curlSample,
  type GenerateBody,
  generateSamples,
  goSample,
  javascriptSample,
  pythonSample,
  workflowSamples,
} from "../../gateway/answers/code-samples.ts";
import { plainText, readMarkdown, renderBlocks, safeLink } from "../../gateway/site/design/markdown.ts";
import { html, renderToStaticMarkup } from "../../gateway/site/design/markup.js";

const HOST = "https://generate.example.com";
const WICKED = `it's "so"; $(rm -rf /) \`id\` $HOME \\ \nJSON\n  JSON\r\t\u2028 </script> é 🌊 %s {} ]]>`;
const body: GenerateBody = {
  modality: "image",
  model_slug: "atelier-canvas",
  prompt: WICKED,
  callback_url: "https://example.com/a?b='c'",
  params: { width: 64, caption: true, note: null, seeds: [1, 2], "a-b": { deep: WICKED }, none: {} },
};
const samples = Object.fromEntries(
  generateSamples(body, { generationBaseUrl: HOST }).map(({ id, code }) => [id, code]),
) as Record<"curl" | "javascript" | "python" | "mcp", string>;

/** What a shell passes to curl: its arguments, and its input. */
function runShell(code: string): { args: string[]; input: string } {
  const script = `curl() { for arg in "$@"; do printf '%s\\0' "$arg"; done; printf '\\0'; cat; }\n${code}\n`;
  const out = execFileSync("sh", ["-c", script], {
    env: { PATH: process.env["PATH"], ATELIER_KEY: "atl_gen_x" },
    input: "",
  }).toString();
  const end = out.indexOf("\0\0");
  return { args: out.slice(0, end).split("\0"), input: out.slice(end + 2) };
}

describe("a request shown as code", () => {
  test("for curl is one call with the key's variable and the unchanged body", () => {
    const { args, input } = runShell(samples.curl);
    expect(args).toContain(`${HOST}/api/v1/connect/generate`);
    expect(args).toContain("Authorization: Bearer atl_gen_x");
    expect(args).toContain("Prefer: wait=60");
    expect(JSON.parse(input)).toEqual(body);
  });

  test("for MCP calls the tool with the same arguments, and waits", () => {
    const { args, input } = runShell(samples.mcp);
    expect(args).toContain(`${HOST}/api/mcp`);
    expect(JSON.parse(input)).toMatchObject({
      method: "tools/call",
      params: { name: "connect_generate", arguments: { ...body, wait_seconds: 60 } },
    });
  });

  test("for JavaScript passes the client the same request", () => {
    const { callback_url, model_slug, ...rest } = body;
    const stub = `class Atelier {
  constructor(options) { this.options = options; }
  async generateAndWait(request) {
    console.log(JSON.stringify([this.options, request]));
    return { outputs: [{ url: "https://example.com/1" }] };
  }
}`;
    const out = execFileSync(process.execPath, ["--input-type=module", "-"], {
      input: samples.javascript.replace('import { Atelier } from "@atelier/client";', stub),
      env: { ATELIER_KEY: "k" },
    });
    const [given = "", url] = out.toString().trim().split("\n");
    expect(JSON.parse(given)).toEqual([
      { baseUrl: HOST, apiKey: "k" },
      { model: model_slug, callbackUrl: callback_url, ...rest },
    ]);
    expect(url).toBe("https://example.com/1");
  });

  test("for Python passes the client the same request", () => {
    const { model_slug, ...rest } = body;
    const stub = `
import json, sys, types
class Atelier:
    def __init__(self, **options): self.options = options
    def generate_and_wait(self, **request):
        print(json.dumps([self.options, request]))
        return {"outputs": [{"url": "https://example.com/1"}]}
sys.modules["atelier_client"] = types.SimpleNamespace(Atelier=Atelier)
`;
    const out = execFileSync("python3", ["-"], {
      input: stub + samples.python,
      env: { ...process.env, ATELIER_KEY: "k", PYTHONUTF8: "1" },
    });
    const [given = "", url] = out.toString().trim().split("\n");
    expect(JSON.parse(given)).toEqual([
      { base_url: HOST, api_key: "k" },
      { model: model_slug, ...rest },
    ]);
    expect(url).toBe("https://example.com/1");
  });

  test("a workflow shown as code is the same request in every language", () => {
    const { callback_url: _, model_slug, ...rest } = body;
    const step = { id: "picture", ...rest };
    const workflow = { steps: [{ ...step, model_slug }], metadata: { name: WICKED } };
    const [curl = "", javascript = "", python = "", mcp = ""] = workflowSamples(workflow, {
      generationBaseUrl: HOST,
    }).map(({ code }) => code);
    const { args, input } = runShell(curl);
    expect(args).toContain(`${HOST}/api/v1/connect/workflows`);
    expect(JSON.parse(input)).toEqual(workflow);
    const { params: called } = JSON.parse(runShell(mcp).input) as { params: unknown };
    expect(called).toEqual({ name: "run_workflow", arguments: { steps: workflow.steps, wait_seconds: 60 } });
    const answer = `{ "steps": [{ "id": "picture", "outputs": [{ "url": "https://example.com/1" }] }] }`;
    const js = execFileSync(process.execPath, ["--input-type=module", "-"], {
      input: javascript.replace(
        'import { Atelier } from "@atelier/client";',
        `class Atelier { async runWorkflowAndWait(request) { console.log(JSON.stringify(request)); return ${answer}; } }`,
      ),
    });
    const py = execFileSync("python3", ["-"], {
      input: `
import json, sys, types
class Atelier:
    def __init__(self, **options): pass
    def run_workflow_and_wait(self, **request):
        print(json.dumps(request))
        return ${answer}
sys.modules["atelier_client"] = types.SimpleNamespace(Atelier=Atelier)
${python}`,
      env: { ...process.env, ATELIER_KEY: "k", PYTHONUTF8: "1" },
    });
    for (const out of [js, py]) {
      const [given = "", url] = out.toString().trim().split("\n");
      expect(JSON.parse(given)).toEqual({ ...workflow, steps: [{ ...step, model: model_slug }] });
      expect(url).toBe("picture https://example.com/1");
    }
  });

  test("leaves out empty params", () => {
    const plain = { ...body, params: {} };
    for (const { code } of generateSamples(plain, { generationBaseUrl: HOST }))
      expect(code).not.toContain("params: {}");
  });

  test("a request shown as code of any operation has its method, URL and headers", () => {
    const url = `${HOST}/api/jobs?metadata[order]=it's&limit=1`;
    const get = runShell(curlSample({ method: "GET", url, headers: { "If-None-Match": '"a"' } }));
    expect(get.args).toEqual([
      "-s",
      url,
      "-H",
      "Authorization: Bearer atl_gen_x",
      "-H",
      'If-None-Match: "a"',
    ]);
    const remove = runShell(curlSample({ method: "DELETE", url: `${HOST}/x`, hasKey: false }));
    expect(remove.args).toEqual(["-s", `${HOST}/x`, "-X", "DELETE"]);
  });

  test.each([
    { method: "POST", hasKey: true, body },
    { method: "GET", hasKey: true },
    { method: "DELETE", hasKey: false },
  ])("a $method without a library is the same call in JavaScript, Python and Go", (call) => {
    const url = `${HOST}/api/jobs?limit=1`;
    const js = execFileSync(process.execPath, ["--input-type=module", "-"], {
      input: `globalThis.fetch = async (url, { method = "GET", headers = {}, body } = {}) => {
  console.log(JSON.stringify({ url, method, headers, body }));
  return { status: 200, text: async () => "" };
};
${javascriptSample({ ...call, url })}`,
      env: { ATELIER_KEY: "k" },
    });
    const python = execFileSync("python3", ["-"], {
      input: `
import contextlib, json, types, urllib.request
@contextlib.contextmanager
def urlopen(request):
    body = request.data and request.data.decode()
    print(json.dumps({"url": request.full_url, "method": request.get_method(), "headers": request.headers, "body": body}))
    yield types.SimpleNamespace(status=200, read=lambda: b"")
urllib.request.urlopen = urlopen
${pythonSample({ ...call, url })}`,
      env: { ...process.env, ATELIER_KEY: "k", PYTHONUTF8: "1" },
    });
    for (const out of [js, python]) {
      const told = JSON.parse(out.toString().split("\n")[0] ?? "") as {
        url: string;
        method: string;
        headers: Record<string, string>;
        body?: string;
      };
      const headers = Object.fromEntries(
        Object.entries(told.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      expect(told.url).toBe(url);
      expect(told.method).toBe(call.method);
      expect(headers).toEqual({
        ...(call.hasKey && { authorization: "Bearer k" }),
        ...(call.body && { "content-type": "application/json" }),
      });
      expect(told.body ? JSON.parse(told.body) : undefined).toEqual(call.body);
    }
    const go = goSample({ ...call, url });
    expect(go).toContain(`http.NewRequest("${call.method}", "${url}", `);
    expect(go.includes("os.Getenv")).toBe(call.hasKey);
    const json = /`([^`]*)`/.exec(go)?.[1];
    expect(json && JSON.parse(json)).toEqual(call.body);
  });
});

const render = (text: string) =>
  renderToStaticMarkup(html`<div>${renderBlocks(readMarkdown(text), safeLink)}</div>`).slice(5, -6);

describe("Markdown on a page", () => {
  test.each([
    ["## Title *with* `code`", "<h2>Title <em>with</em> <code>code</code></h2>"],
    ["# A second title", "<h2>A second title</h2>"],
    ["one\nline, **two**\n\nnext", "<p>one line, <strong>two</strong></p><p>next</p>"],
    [
      "- one\n  goes on\n- two\n  1. inner",
      "<ul><li>one goes on</li><li>two<ol><li>inner</li></ol></li></ul>",
    ],
    ["> quoted\n> on", "<blockquote><p>quoted on</p></blockquote>"],
    [
      "[**bold**](/here) and [mail](mailto:a@example.com)",
      '<p><a href="/here"><strong>bold</strong></a> and <a href="mailto:a@example.com">mail</a></p>',
    ],
    ["a \\* b &lt; c", "<p>a * b &amp;lt; c</p>"],
    ["| a | b |\n| - | - |\n| c | d |", "<p>| a | b | | - | - | | c | d |</p>"],
  ])("shows %j", (text, shown) => {
    expect(render(text)).toBe(shown);
  });

  test.each([
    "<script>alert(1)</script>",
    "<div onclick=alert(1)>\n**x**\n</div>",
    "text <img src=x onerror=alert(1)> text",
    "- <svg onload=alert(1)>\n\n> <iframe src=//example.com>",
    "`<b>` **<i>x</i>** *<u>y</u>*",
    "```html\n<script>alert(1)</script>\n```",
    "    <script>indented</script>",
    "| <b>a</b> |\n| - |\n| <script>b</script> |",
    "![<b>alt</b>](javascript:alert(1))",
    '[x](/a"onmouseover="alert(1))',
    '[x](</a" onmouseover="alert(1)>)',
    '[x](/a "title\\" onmouseover=\\"alert(1)")',
    "## <b>heading</b> {#id}",
    "<!-- comment --><b>after</b>",
    "<https://example.com/<b>>",
  ])("shows HTML in %j as text", (text) => {
    const tags = [...render(text).matchAll(/<\/?(\w+)([^>]*)>/g)];
    for (const [, name, attributes = ""] of tags) {
      expect(["p", "ul", "li", "blockquote", "code", "strong", "em", "h2", "a"]).toContain(name);
      expect(attributes).toMatch(/^(?: href="[^"]*")?$/);
    }
  });

  test.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\\script:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](<java\tscript:alert(1)>)",
    "[x](data:text/html,x)",
    "[x](vbscript:x)",
    "[x](//example.com)",
    "[x](/\\example.com)",
    "[x](</\t/example.com>)",
    "[x](http://example.com)",
    "[x](relative.md)",
    "<javascript:alert(1)>",
    "[x][ref]\n\n[ref]: javascript:alert(1)",
  ])("makes no link of %j", (text) => {
    expect(render(text)).not.toContain("<a");
  });

  test("has a plain text form", () => {
    expect(plainText(readMarkdown("one **two\nthree** [four](/x)"))).toBe("one two three four");
    expect(plainText(readMarkdown("- a\n- `b`"))).toBe("a b");
  });
});
