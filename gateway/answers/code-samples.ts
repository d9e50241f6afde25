// Requests as code that can be pasted and run. The Generate page and the documentation make all of their samples here:
//   generateSamples(body, { generationBaseUrl }) -> [{ id: "curl" | "javascript" | "python" | "mcp", label, language, code }]
//   workflowSamples(body, { generationBaseUrl }) -> the same for a workflow
//   curlSample({ method, url, headers, body }) -> one call of any operation, for sh
//   javascriptSample, pythonSample, goSample -> the same call, without a library
// The key is never part of the code: it is $ATELIER_KEY, or the variable of that name.
import { isObject } from "../../runtime/json-object.ts";

/** The body of a generate request. */
export type GenerateBody = {
  readonly modality: string;
  readonly model_slug: string;
  readonly prompt: string;
  readonly callback_url?: string;
  readonly allow_partial?: boolean;
  readonly expires_in?: number;
  readonly keep_days?: number;
  readonly params?: Readonly<Record<string, unknown>>;
};

/** The body of a request for a workflow. */
export type WorkflowBody = {
  readonly steps: readonly (GenerateBody & { readonly id: string; readonly after?: readonly string[] })[];
  readonly metadata?: Readonly<Record<string, string>>;
};

export type CodeSample = {
  readonly id: "curl" | "javascript" | "python" | "mcp";
  readonly label: string;
  /** As highlighters name it. */
  readonly language: "sh" | "js" | "python";
  readonly code: string;
};

export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  /** Beside the key and the type of the body. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Default: true. */
  readonly hasKey?: boolean;
};

/** The longest that an answer is held. */
const WAIT_SECONDS = 60;
const INDENT = "  ";
const KEY_HEADER = `-H "Authorization: Bearer $ATELIER_KEY"`;
/** Of what may be called by its name alone, in JavaScript. */
const NAME = /^[A-Za-z_$][\w$]*$/;

/** One request in every way to send it. Each sample waits for the job and shows where its files are. */
export function generateSamples(
  body: GenerateBody,
  { generationBaseUrl }: { generationBaseUrl: string },
): readonly CodeSample[] {
  const wanted = withoutEmptyParams(body);
  return samplesOf({
    curl: curlOf(wanted, generationBaseUrl),
    javascript: javascriptOf(wanted, generationBaseUrl),
    python: pythonOf(wanted, generationBaseUrl),
    mcp: mcpOf("connect_generate", wanted, generationBaseUrl),
  });
}

/** A workflow in every way to send it. The clients' samples wait for its end and show where the files of each step are. */
export function workflowSamples(
  { steps, ...rest }: WorkflowBody,
  { generationBaseUrl: baseUrl }: { generationBaseUrl: string },
): readonly CodeSample[] {
  const body = { steps: steps.map(withoutEmptyParams), ...rest };
  const named = {
    steps: body.steps.map(({ id, model_slug: model, ...step }) => ({ id, model, ...step })),
    ...rest,
  };
  return samplesOf({
    curl: curlSample({ method: "POST", url: `${baseUrl}/api/v1/connect/workflows`, body }),
    javascript: javascriptWorkflow(named, baseUrl),
    python: pythonWorkflow(named, baseUrl),
    // The tool takes no metadata.
    mcp: mcpOf("run_workflow", { steps: body.steps }, baseUrl),
  });
}

/** In the order of their tabs. */
function samplesOf(code: Readonly<Record<CodeSample["id"], string>>): readonly CodeSample[] {
  return [
    { id: "curl", label: "curl", language: "sh", code: code.curl },
    { id: "javascript", label: "JavaScript", language: "js", code: code.javascript },
    { id: "python", label: "Python", language: "python", code: code.python },
    { id: "mcp", label: "MCP", language: "sh", code: code.mcp },
  ];
}

/** The body is a here-document, so that the shell interprets nothing in it. */
export function curlSample({ method, url, headers = {}, body, hasKey = true }: HttpRequest): string {
  const options = [
    ...(method === "GET" || (method === "POST" && body !== undefined) ? [] : [`-X ${method}`]),
    ...(hasKey ? [KEY_HEADER] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ];
  const command = ["curl -s", quoted(url)].join(" ");
  if (body === undefined) return [command, ...options].join(` \\\n${INDENT}`);
  return `${[command, ...options, "--data-binary @- <<'JSON'"].join(` \\\n${INDENT}`)}\n${JSON.stringify(body, null, 2)}\nJSON`;
}

/** For Node.js, browsers, Deno and Bun, as JavaScript and TypeScript. */
export function javascriptSample({ method, url, body, hasKey = true }: HttpRequest): string {
  const hasBody = body !== undefined;
  const headers = [
    ...(hasKey ? ["authorization: `Bearer ${process.env.ATELIER_KEY}`"] : []),
    ...(hasBody ? ['"content-type": "application/json"'] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(", ")} }`] : []),
    ...(hasBody ? [`body: JSON.stringify(${javascriptLiteral(body, INDENT)})`] : []),
  ].map((option) => `${INDENT}${option},\n`);
  const init = options.length === 0 ? "" : `, {\n${options.join("")}}`;
  return `const response = await fetch(${JSON.stringify(url)}${init});
console.log(response.status, await response.text());`;
}

/** With the standard library. */
export function pythonSample({ method, url, body, hasKey = true }: HttpRequest): string {
  const hasBody = body !== undefined;
  const headers = [
    ...(hasKey ? [`"Authorization": "Bearer " + os.environ["ATELIER_KEY"]`] : []),
    ...(hasBody ? [`"Content-Type": "application/json"`] : []),
  ];
  const step = INDENT.repeat(2);
  const given = [
    JSON.stringify(url),
    ...(method === "GET" ? [] : [`method="${method}"`]),
    ...(headers.length > 0 ? [`headers={${headers.join(", ")}}`] : []),
    ...(hasBody ? [`data=json.dumps(${pythonLiteral(body, step)}).encode()`] : []),
  ].map((one) => `${step}${one},\n`);
  return `${hasBody ? "import json\n" : ""}${hasKey ? "import os\n" : ""}from urllib.request import Request, urlopen

request = Request(
${given.join("")})
with urlopen(request) as response:
    print(response.status, response.read().decode())`;
}

/** With the standard library, as the lines of a function that returns an error. */
export function goSample({ method, url, body, hasKey = true }: HttpRequest): string {
  const hasBody = body !== undefined;
  // A raw string cannot hold this sign, JSON can do without it.
  const json = hasBody ? JSON.stringify(body, null, 2).replaceAll("`", "\\u0060") : "";
  return [
    `request, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${hasBody ? `strings.NewReader(\`${json}\`)` : "nil"})`,
    "if err != nil {\n\treturn err\n}",
    ...(hasKey ? [`request.Header.Set("Authorization", "Bearer "+os.Getenv("ATELIER_KEY"))`] : []),
    ...(hasBody ? [`request.Header.Set("Content-Type", "application/json")`] : []),
    "response, err := http.DefaultClient.Do(request)",
    "if err != nil {\n\treturn err\n}",
    "defer response.Body.Close()",
    "_, err = io.Copy(os.Stdout, response.Body)",
    "return err",
  ].join("\n");
}

function curlOf(body: GenerateBody, baseUrl: string): string {
  return curlSample({
    method: "POST",
    url: `${baseUrl}/api/v1/connect/generate`,
    headers: { Prefer: `wait=${WAIT_SECONDS}` },
    body,
  });
}

function mcpOf(name: string, body: object, baseUrl: string): string {
  return curlSample({
    method: "POST",
    url: `${baseUrl}/api/mcp`,
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: { ...body, wait_seconds: WAIT_SECONDS } },
    },
  });
}

function javascriptOf(
  { model_slug, callback_url, allow_partial, ...rest }: GenerateBody,
  baseUrl: string,
): string {
  const request = {
    model: model_slug,
    ...rest,
    ...(callback_url !== undefined && { callbackUrl: callback_url }),
    ...(allow_partial !== undefined && { allowPartial: allow_partial }),
  };
  return `${javascriptClient(baseUrl)}const job = await atelier.generateAndWait(${javascriptLiteral(request)});

for (const output of job.outputs) console.log(output.url);`;
}

function javascriptWorkflow(request: object, baseUrl: string): string {
  return `${javascriptClient(baseUrl)}const workflow = await atelier.runWorkflowAndWait(${javascriptLiteral(request)});

for (const step of workflow.steps)
  for (const output of step.outputs) console.log(step.id, output.url);`;
}

function javascriptClient(baseUrl: string): string {
  return `import { Atelier } from "@atelier/client";

const atelier = new Atelier({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: process.env.ATELIER_KEY,
});

`;
}

function pythonOf({ model_slug, ...rest }: GenerateBody, baseUrl: string): string {
  return `${pythonClient(baseUrl)}job = atelier.generate_and_wait(
${pythonArguments({ model: model_slug, ...rest })}
)

for output in job["outputs"]:
    print(output["url"])`;
}

function pythonWorkflow(request: object, baseUrl: string): string {
  return `${pythonClient(baseUrl)}workflow = atelier.run_workflow_and_wait(
${pythonArguments(request)}
)

for step in workflow["steps"]:
    for output in step["outputs"]:
        print(step["id"], output["url"])`;
}

function pythonArguments(named: object): string {
  return Object.entries(named)
    .map(([name, value]) => `${INDENT.repeat(2)}${name}=${pythonLiteral(value, INDENT.repeat(2))},`)
    .join("\n");
}

function pythonClient(baseUrl: string): string {
  return `import os

from atelier_client import Atelier

atelier = Atelier(
    base_url=${JSON.stringify(baseUrl)},
    api_key=os.environ["ATELIER_KEY"],
)

`;
}

function javascriptLiteral(value: unknown, indent = ""): string {
  return literal(value, indent, {
    step: INDENT,
    nameOf: (name) => (NAME.test(name) ? name : JSON.stringify(name)),
    // A line of JSON is a line of JavaScript.
    plain: (plain) => JSON.stringify(plain),
  });
}

function pythonLiteral(value: unknown, indent: string): string {
  return literal(value, indent, {
    step: INDENT.repeat(2),
    nameOf: (name) => JSON.stringify(name),
    plain: (plain) => {
      if (plain === null) return "None";
      if (typeof plain === "boolean") return plain ? "True" : "False";
      return JSON.stringify(plain);
    },
  });
}

type Tongue = {
  readonly step: string;
  nameOf(name: string): string;
  plain(value: string | number | boolean | null): string;
};

/** What came as JSON, one member a line; lists stay on theirs. */
function literal(value: unknown, indent: string, tongue: Tongue): string {
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, indent, tongue)).join(", ")}]`;
  if (!isObject(value))
    return tongue.plain(
      typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null,
    );
  const inner = indent + tongue.step;
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${tongue.nameOf(name)}: ${literal(member, inner, tongue)},`,
  );
  return members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${indent}}`;
}

function withoutEmptyParams<Body extends GenerateBody>(body: Body): Omit<Body, "params"> | Body {
  const { params, ...rest } = body;
  return Object.keys(params ?? {}).length === 0 ? rest : body;
}

/** One shell word, with any content. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
