// Preact as the server uses it. The only file here that names it: its types, which markup.d.ts stands in for, would bring the globals of
// browsers (`window`, `name`, `event`) into all code of the server.
export { html } from "htm/preact";
export { renderToStaticMarkup } from "preact-render-to-string";
