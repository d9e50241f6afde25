// Preact on the server. Only this file imports it: its types would bring the globals of browsers (`window`, `name`, `event`) into all
// server code, so markup.d.ts replaces them.
export { html } from "htm/preact";
export { renderToStaticMarkup } from "preact-render-to-string";
