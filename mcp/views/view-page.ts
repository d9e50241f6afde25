// A view as one HTML document that needs nothing from elsewhere: its modules behind each other in one script, the sheet of all views, and a
// policy by their hashes, so that nothing else runs in it wherever it is shown.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { compileFunction } from "node:vm";
import { hashSource } from "../../runtime/html.ts";

export type View = {
  /** Name of its module in browser/, without the extension. */
  readonly module: string;
  readonly title: string;
};

const SOURCES = new URL("./browser/", import.meta.url);
/** An import of one of the view's own modules, on one line as the formatter leaves it, or broken after the brace. */
const IMPORT = /^import \{[^}]*\} from "([^"]+)";\n/gm;
const EXPORT = /^export (?=(async )?function |const |class )/gm;
/** Comments and types for readers of the sources, and whole lines of them. */
const COMMENTS = /[ \t]*\/\*\*((?!\*\/)[\s\S])*\*\/\n?|^[ \t]*\/\/.*\n/gm;

/** `mediaOrigin` is whence its pictures, clips and sounds may come; none for a view that shows none. Throws for sources that do not fit. */
export function buildView({ module, title }: View, mediaOrigin: string | undefined): string {
  const script = bundle(`${module}.js`);
  const style = readFileSync(new URL("views.css", SOURCES), "utf8").replace(/\/\*[\s\S]*?\*\/\n/g, "");
  const media = mediaOrigin === undefined ? "" : ` ${mediaOrigin}`;
  const policy = [
    "default-src 'none'",
    `script-src '${hashSource(script)}'`,
    `style-src '${hashSource(style)}'`,
    `img-src data:${media}`,
    `media-src${media || " 'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<div id="view"><p class="about">Waiting for the assistant…</p></div>
</main>
<p id="status" class="unseen" role="status"></p>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** The module and all that it imports, what is needed first in front. The names of all of them share one scope, and so must differ. */
function bundle(entry: string): string {
  const parts = new Map<string, string>();
  const add = (address: URL, importers: readonly string[]): void => {
    const name = basename(address.pathname);
    if (importers.includes(name)) throw new Error(`${[...importers, name].join(" imports ")}: a circle`);
    if (parts.has(name)) return;
    const source = readFileSync(address, "utf8");
    for (const [, specifier = ""] of source.matchAll(IMPORT))
      add(new URL(specifier, address), [...importers, name]);
    parts.set(name, source.replace(IMPORT, "").replace(EXPORT, "").replace(COMMENTS, ""));
  };
  add(new URL(entry, SOURCES), []);
  const script = `\n${[...parts.values()].join("")}`;
  if (script.includes("</script")) throw new Error(`${entry} would end its own script`);
  // Two modules with one name, or a missing import, fail here and not in a user's chat.
  compileFunction(`async () => {${script}}`, [], { filename: entry });
  return script;
}
