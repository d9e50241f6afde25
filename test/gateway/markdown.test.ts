import { describe, expect, test } from "vitest";
import { plainText, readMarkdown, renderBlocks, safeLink } from "../../gateway/site/design/markdown.ts";
import { html, renderToStaticMarkup } from "../../gateway/site/design/markup.js";

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
