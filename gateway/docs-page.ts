// The page that errors point to: every error code with what to do about it, and the way to the OpenAPI document.
import { ERROR_TABLE } from "../proto/codes.ts";

export function docsPage(): string {
  const rows = Object.entries(ERROR_TABLE).map(
    ([code, row]) =>
      `<dt id="${code}"><code>${code}</code> (${row.http})</dt><dd>${escape(row.message)} ${escape(row.hint)}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Atelier API</title></head>
<body>
<h1>Atelier API</h1>
<p>The whole REST interface: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1.1).</p>
<h2>Errors</h2>
<dl>
${rows.join("\n")}
</dl>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
