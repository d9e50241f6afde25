// /connect: calls the tool endpoint with the key that the person types. The key stays in a variable of this module and never appears in an
// address, in storage or in a form that could be sent.
import { html, render } from "htm/preact";
import { useState } from "preact/hooks";

/**
 * @typedef {{ name: string, title?: string, description?: string, inputSchema: { properties?: Record<string, object>, required?: string[] } }} Tool
 * @typedef {{ status: number, ms: number, body: unknown }} Answer
 */

/** The prefix of member keys, which use another endpoint. */
const MEMBER_PREFIX = "atl_mem_";
/**
 * Values that fit what the first call of a tool usually needs.
 * @type {Readonly<Record<string, unknown>>}
 */
const EXAMPLES = {
  modality: "image",
  model_slug: "atelier-canvas",
  prompt: "a lighthouse at dawn",
  job_id: "job_…",
  slug: "…",
};

const root = document.getElementById("try-tools");
if (!root) throw new Error("the page has no #try-tools");
const { generation = "", member = "" } = root.dataset;
root.replaceChildren();
render(html`<${TryTools} />`, root);

function TryTools() {
  // The key that was just created on this page.
  const [key, setKey] = useState(document.getElementById("secret")?.textContent?.trim() ?? "");
  const [tools, setTools] = useState(/** @type {readonly Tool[]} */ ([]));
  const [answer, setAnswer] = useState(/** @type {Answer | undefined} */ (undefined));
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);

  /**
   * The tools that are shown are those of one key.
   * @param {string} value
   */
  function changeKey(value) {
    setKey(value);
    setTools([]);
  }

  /**
   * @param {string} method
   * @param {object} params
   */
  async function ask(method, params) {
    setBusy(true);
    setProblem("");
    try {
      const got = await call(key.trim(), method, params);
      setAnswer(got);
      return got;
    } catch {
      setAnswer(undefined);
      setProblem("The endpoint could not be reached. Try again in a moment.");
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  async function connect() {
    const got = await ask("tools/list", {});
    setTools(got ? toolsOf(got.body) : []);
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  async function useTool(name, text) {
    const given = parse(text);
    if (given === undefined) setProblem("The arguments are not a JSON object.");
    else await ask("tools/call", { name, arguments: given });
  }

  return html`<div class="stack try-tools">
    <${KeyForm} value=${key} onInput=${changeKey} onSubmit=${connect} isBusy=${isBusy} />
    ${tools.length > 0 && html`<${ToolForm} tools=${tools} onSubmit=${useTool} isBusy=${isBusy} />`}
    <div role="status">
      ${isBusy && html`<p>Waiting for the response…</p>`}
      ${problem && html`<p class="field__error">${problem}</p>`}
      ${!isBusy && answer && html`<p>HTTP ${answer.status} after ${answer.ms} ms</p>`}
    </div>
    ${answer && html`<${Media} body=${answer.body} />`}
    ${
      answer &&
      html`<pre
        tabindex="0"
        role="region"
        aria-label="Answer"
      ><code>${JSON.stringify(answer.body, null, 2)}</code></pre>`
    }
  </div>`;
}

/**
 * What a tool has made, to be seen and heard. Files of another origin the page's policy forbids; they are links.
 * @param {{ body: unknown }} props
 */
function Media({ body }) {
  const files = filesOf(body);
  if (files.length === 0) return null;
  return html`<ul class="try-tools__files">
    ${files.map(({ url, mime_type: type }) => html`<li key=${url}>${medium(url, type)}</li>`)}
  </ul>`;
}

/**
 * @param {string} url
 * @param {string} type
 */
function medium(url, type) {
  const isHere = new URL(url, location.href).origin === location.origin;
  if (isHere && type.startsWith("image/"))
    return html`<img src=${url} alt="What the tool made" loading="lazy" />`;
  if (isHere && type.startsWith("audio/")) return html`<audio controls src=${url}></audio>`;
  if (isHere && type.startsWith("video/")) return html`<video controls muted loop src=${url}></video>`;
  return html`<a href=${url}>Open the file (${type})</a>`;
}

/**
 * @param {unknown} body
 * @returns {{ url: string, mime_type: string }[]}
 */
function filesOf(body) {
  const { result } = /** @type {{ result?: { structuredContent?: { outputs?: unknown } } }} */ (body);
  const outputs = result?.structuredContent?.outputs;
  if (!Array.isArray(outputs)) return [];
  return outputs.filter((each) => typeof each?.url === "string" && typeof each?.mime_type === "string");
}

/** @param {{ value: string, onInput(key: string): void, onSubmit(): void, isBusy: boolean }} props */
function KeyForm({ value, onInput, onSubmit, isBusy }) {
  return html`<form onSubmit=${sending(onSubmit)} autocomplete="off">
    <div class="field">
      <label class="field__label" for="try-key">Your key</label>
      <p class="note field__hint" id="try-key-hint">A key with access to read and write, or a member key.</p>
      <input
        class="input"
        id="try-key"
        type="password"
        autocomplete="off"
        spellcheck="false"
        required
        aria-describedby="try-key-hint"
        value=${value}
        onInput=${withValue(onInput)}
      />
    </div>
    <p><button class="button button--primary" type="submit" disabled=${isBusy}>Show its tools</button></p>
  </form>`;
}

/** @param {{ tools: readonly Tool[], onSubmit(name: string, text: string): void, isBusy: boolean }} props */
function ToolForm({ tools, onSubmit, isBusy }) {
  const [chosen, setChosen] = useState(tools[0]?.name ?? "");
  const [text, setText] = useState(argumentsFor(tools[0]));
  const tool = tools.find(({ name }) => name === chosen) ?? tools[0];
  /** @param {string} name */
  const choose = (name) => {
    setChosen(name);
    setText(argumentsFor(tools.find((one) => one.name === name)));
  };
  return html`<form onSubmit=${sending(() => onSubmit(tool?.name ?? "", text))}>
    <div class="field">
      <label class="field__label" for="try-tool">Tool</label>
      <select
        class="input"
        id="try-tool"
        value=${tool?.name}
        onChange=${withValue(choose)}
        aria-describedby="try-tool-hint"
      >
        ${tools.map(({ name, title }) => html`<option value=${name}>${title ?? name}</option>`)}
      </select>
      <p class="note field__hint" id="try-tool-hint">${tool?.description}</p>
    </div>
    <div class="field">
      <label class="field__label" for="try-arguments">Arguments, as JSON</label>
      <textarea
        class="input"
        id="try-arguments"
        rows="6"
        spellcheck="false"
        value=${text}
        onInput=${withValue(setText)}
      ></textarea>
    </div>
    ${tool?.name === "connect_generate" && html`<p class="note">This one makes a job and costs credits.</p>`}
    <p><button class="button button--primary" type="submit" disabled=${isBusy}>Call</button></p>
  </form>`;
}

/**
 * @param {string} key
 * @param {string} method
 * @param {object} params
 * @returns {Promise<Answer>}
 */
async function call(key, method, params) {
  const startedAt = performance.now();
  const response = await fetch(key.startsWith(MEMBER_PREFIX) ? member : generation, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    credentials: "omit",
    referrerPolicy: "no-referrer",
  });
  const body = /** @type {unknown} */ (await response.json());
  return { status: response.status, ms: Math.round(performance.now() - startedAt), body };
}

/**
 * @param {unknown} body
 * @returns {Tool[]}
 */
function toolsOf(body) {
  const { result } = /** @type {{ result?: { tools?: Tool[] } }} */ (body);
  return result?.tools ?? [];
}

/** @param {Tool | undefined} tool */
function argumentsFor(tool) {
  const { required = [] } = tool?.inputSchema ?? {};
  const values = required.map((name) => [name, EXAMPLES[name] ?? ""]);
  // The call waits, so the response contains the file.
  if (tool?.name === "connect_generate") values.push(["wait_seconds", 30]);
  return JSON.stringify(Object.fromEntries(values), null, 2);
}

/**
 * @param {string} text
 * @returns {object | undefined}
 */
function parse(text) {
  try {
    const value = /** @type {unknown} */ (JSON.parse(text));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A form that is never sent by the browser itself: its key would be in it.
 * @param {() => void} work
 */
function sending(work) {
  return (/** @type {Event} */ event) => {
    event.preventDefault();
    work();
  };
}

/** @param {(value: string) => void} work */
function withValue(work) {
  return (/** @type {Event} */ { currentTarget }) => {
    const { value } = /** @type {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} */ (
      currentTarget
    );
    work(value);
  };
}
