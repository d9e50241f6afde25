// The channel to the host: JSON-RPC over postMessage, as the extension MCP Apps has it (2026-01-26). The host is the window that this one
// is embedded in. What anyone else sends, and what is no message of the protocol, is as if it had not been sent.

const PROTOCOL_VERSION = "2026-01-26";
/** Longer than any wait that a view asks for. */
const ANSWER_MS = 90_000;
const METHOD_NOT_FOUND = -32_601;
/** The browsers' name for an opaque origin. */
const OPAQUE = "null";

/** @typedef {Record<string, unknown>} Json */
/**
 * What a tool answered: `images` are those of a preview by output_id, `links` the files by their address.
 * @typedef {{ name: string, bytes: number | undefined }} Link
 * @typedef {{ text: string, structured: Json, images: Map<string, string>, links: Map<string, Link>, meta: Json, failed: boolean }} Result
 */
/**
 * @typedef {object} Host
 * @property {boolean} callsTools Whether this view may call tools.
 * @property {boolean} opensLinks
 * @property {(name: string, args: Json) => Promise<Result>} call Rejects where there is no answer of the tool.
 * @property {(url: string) => void} open Asks the host to open an address.
 * @property {((url: string, name: string, mimeType: string) => void) | undefined} download Asks the host to save a file. Absent if it cannot.
 * @property {(text: string) => void} tell What the model is to know of what was done here.
 */
/**
 * @typedef {object} Listeners
 * @property {(args: Json) => void} [input] The arguments that the tool was called with.
 * @property {(result: Result) => void} [result]
 * @property {() => void} [cancelled]
 * @property {() => void} [end] The view is about to be removed.
 */
/** @typedef {{ send: (message: Json) => void, request: (method: string, params: Json) => Promise<Json> }} Channel */
/** @typedef {Map<number, { resolve: (result: Json) => void, reject: (error: Error) => void }>} Waiting */

/**
 * @param {string} name What the view is called.
 * @param {Listeners} listeners
 * @returns {Promise<Host>}
 */
export async function connectHost(name, listeners) {
  let stopReporting = () => {};
  const end = () => {
    stopReporting();
    listeners.end?.();
  };
  const { send, request } = openChannel({ ...listeners, end });
  const { hostCapabilities, hostContext } = await request("ui/initialize", {
    appInfo: { name, version: "1.0.0" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    protocolVersion: PROTOCOL_VERSION,
  });
  const can = isObject(hostCapabilities) ? hostCapabilities : {};
  applyContext(isObject(hostContext) ? hostContext : {});
  send({ method: "ui/notifications/initialized", params: {} });
  stopReporting = reportSize((size) => send({ method: "ui/notifications/size-changed", params: size }));
  return {
    callsTools: isObject(can["serverTools"]),
    opensLinks: isObject(can["openLinks"]),
    call: async (tool, args) => readResult(await request("tools/call", { name: tool, arguments: args })),
    open: (url) => void request("ui/open-link", { url }).catch(() => {}),
    download: isObject(can["downloadFile"])
      ? (uri, fileName, mimeType) => {
          const contents = [{ type: "resource_link", uri, name: fileName, mimeType }];
          void request("ui/download-file", { contents }).catch(() => {});
        }
      : undefined,
    tell: (text) => {
      if (!isObject(can["updateModelContext"])) return;
      const content = [{ type: "text", text }];
      void request("ui/update-model-context", { content }).catch(() => {});
    },
  };
}

/**
 * @param {Listeners} listeners
 * @returns {Channel}
 */
function openChannel(listeners) {
  /** @type {Waiting} */
  const waiting = new Map();
  /** That of the host's first answer: from then on the host speaks from there. @type {string | undefined} */
  let hostOrigin;
  let asked = 0;

  /** @param {Json} message */
  function send(message) {
    const target = hostOrigin === undefined || hostOrigin === OPAQUE ? "*" : hostOrigin;
    window.parent.postMessage({ jsonrpc: "2.0", ...message }, target);
  }

  window.addEventListener("message", ({ source, origin, data }) => {
    if (source !== window.parent || source === window) return;
    if (hostOrigin !== undefined && origin !== hostOrigin) return;
    if (!isObject(data) || data["jsonrpc"] !== "2.0") return;
    if (typeof data["method"] === "string") {
      // Before the host has answered the view's initialization it sends nothing.
      if (hostOrigin !== undefined) take(data["method"], data, listeners, send);
    } else if (settle(waiting, data)) hostOrigin ??= origin;
  });

  return {
    send,
    request: (method, params) => {
      asked += 1;
      const id = asked;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new Error("The assistant did not answer."));
        }, ANSWER_MS);
        waiting.set(id, {
          resolve: (result) => {
            clearTimeout(timer);
            resolve(result);
          },
          reject: (error) => {
            clearTimeout(timer);
            reject(error);
          },
        });
        send({ id, method, params });
      });
    },
  };
}

/**
 * Whether it is the answer to something that was asked.
 * @param {Waiting} waiting
 * @param {Json} message
 */
function settle(waiting, { id, result, error }) {
  if (typeof id !== "number" || (result === undefined && error === undefined)) return false;
  const one = waiting.get(id);
  if (!one) return false;
  waiting.delete(id);
  if (isObject(result)) one.resolve(result);
  else one.reject(new Error(messageOf(error)));
  return true;
}

/**
 * A request or a notification of the host.
 * @param {string} method
 * @param {Json} message
 * @param {Listeners} listeners
 * @param {Channel["send"]} send
 */
function take(method, { id, params }, listeners, send) {
  const told = isObject(params) ? params : {};
  if (id !== undefined) {
    if (typeof id !== "number" && typeof id !== "string") return;
    if (method === "ui/resource-teardown") listeners.end?.();
    const isKnown = method === "ui/resource-teardown" || method === "ping";
    const error = { code: METHOD_NOT_FOUND, message: "This view has no such method." };
    send({ id, ...(isKnown ? { result: {} } : { error }) });
    return;
  }
  if (method === "ui/notifications/tool-input" && isObject(told["arguments"]))
    listeners.input?.(told["arguments"]);
  if (method === "ui/notifications/tool-result" && Array.isArray(told["content"]))
    listeners.result?.(readResult(told));
  if (method === "ui/notifications/tool-cancelled") listeners.cancelled?.();
  if (method === "ui/notifications/host-context-changed") applyContext(told);
}

/**
 * What a tool answered, as far as it is that.
 * @param {Json} result
 * @returns {Result}
 */
function readResult({ content, structuredContent, _meta, isError }) {
  const images = new Map();
  const links = new Map();
  const texts = [];
  for (const block of Array.isArray(content) ? content.filter(isObject) : []) {
    const { type, text, data, mimeType, uri, name, size } = block;
    const outputId = isObject(block["_meta"]) ? block["_meta"]["output_id"] : undefined;
    if (type === "text" && typeof text === "string") texts.push(text);
    if (type === "resource_link" && typeof uri === "string" && typeof name === "string")
      links.set(uri, { name, bytes: typeof size === "number" ? size : undefined });
    if (
      type === "image" &&
      mimeType === "image/webp" &&
      typeof data === "string" &&
      typeof outputId === "string"
    )
      images.set(outputId, `data:image/webp;base64,${data}`);
  }
  return {
    text: texts.join("\n"),
    structured: isObject(structuredContent) ? structuredContent : {},
    images,
    links,
    meta: isObject(_meta) ? _meta : {},
    failed: isError === true,
  };
}

/** @param {Json} context */
function applyContext({ theme, styles }) {
  const { style } = document.documentElement;
  if (theme === "light" || theme === "dark") style.colorScheme = theme;
  const font =
    isObject(styles) && isObject(styles["variables"]) ? styles["variables"]["--font-sans"] : undefined;
  if (typeof font === "string") style.setProperty("--font", font);
}

/**
 * @param {(size: { width: number, height: number }) => void} tell
 * @returns {() => void} Ends it.
 */
function reportSize(tell) {
  let told = "";
  const look = () => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    if (told === JSON.stringify(size)) return;
    told = JSON.stringify(size);
    tell(size);
  };
  const observer = new ResizeObserver(look);
  observer.observe(document.documentElement);
  return () => observer.disconnect();
}

/** @param {unknown} error */
function messageOf(error) {
  const message = isObject(error) ? error["message"] : undefined;
  return typeof message === "string" ? message : "The assistant gave no answer that can be read.";
}

/**
 * @param {unknown} value
 * @returns {value is Json}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
