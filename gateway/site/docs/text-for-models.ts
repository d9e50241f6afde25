// /llms.txt: an overview of the site in the format that language models read (llmstxt.org).
import type { Addresses } from "../../../edge/guide.ts";
import type { Chapter } from "./chapters.ts";
import { plain } from "./render-blocks.ts";

export function textForModels(
  { baseUrl, generationBaseUrl }: Addresses,
  chapters: readonly Chapter[],
): string {
  return `# Atelier

> A marketplace of digital products (templates, component kits, icons, fonts, plugins) that also generates images, videos and audio. The catalog is open to anyone; generating takes a key and credits.

Purchases and changes of an account are confirmed by the person on the website; no API makes them.

## Catalog, no key

- [List products](${baseUrl}/api/catalog): JSON. Parameters: search, category, subcategory, pricing_tier, price_min and price_max (USD), tag (repeated, all must match), status, sort (featured, newest, alphabetical, popular, rating, home), page, pageSize (1 to 50), facets (category, pricing_tier, tag, status). Prices are in USD. \`data\` is the page, \`total\` all that match; when nothing matches, \`hint\` says which parameter to drop.
- Show one product: ${baseUrl}/api/catalog/{slug}
- Tools for assistants (MCP), no key: ${baseUrl}/mcp, with search_catalog, get_product, list_models, get_plans, how_to_connect.
- [Changes of the catalog](${baseUrl}/api/catalog-changes): JSON lines; \`?since=\` and \`&epoch=\` of the last checkpoint.
- [Site map](${baseUrl}/sitemap.xml): every public product.

## For shopping agents, no key

Only products that anyone can buy now. The user buys them on the product's page.

- [ACP product feed](${baseUrl}/feeds/acp/products.jsonl): Agentic Commerce Protocol, a product on each line; [metadata](${baseUrl}/feeds/acp/metadata.json).
- [Google product feed](${baseUrl}/feeds/google.xml), and the same [as tab-separated text](${baseUrl}/feeds/google.tsv). \`?shard=1&of=8\` reads an eighth of any feed.

## Generation, with a key

- Generate: POST ${generationBaseUrl}/api/v1/connect/generate with modality, model_slug and prompt; the response has a job_id.
- Read a job: ${generationBaseUrl}/api/jobs/{id}, with \`?wait=60\` until it has ended.
- Several that build on each other, as one: POST ${generationBaseUrl}/api/v1/connect/workflows with steps; a param that takes a file may say step:ID. Read it at ${generationBaseUrl}/api/workflows/{id}.
- [Models and prices](${generationBaseUrl}/api/models)
- [Plans](${generationBaseUrl}/api/plans): which of them include the API.
- Tools for assistants (MCP): ${generationBaseUrl}/api/mcp, with a generation key of write scope. connect_generate, run_workflow, get_job, list_jobs, cancel_job, list_models, get_credits, list_ledger.
- Tools for a member's assistant (MCP): ${baseUrl}/api/member/mcp, with a member key from support: membership, catalog, licences, purchase pages, credits and jobs.

The tool endpoints have models and the chapters below as resources too: atelier://models/{slug} and atelier://docs/{chapter}.

## Documentation

${chapters.map((chapter) => lineOf(chapter, baseUrl)).join("\n")}
- [API reference](${baseUrl}/docs#api-reference)
- [OpenAPI document](${baseUrl}/openapi.json): every operation, schema, example and error code.
- [API catalog](${baseUrl}/.well-known/api-catalog): RFC 9727.
- [Tool endpoints](${baseUrl}/.well-known/ai-catalog.json): their server cards.
`;
}

function lineOf({ path, title, lead }: Chapter, baseUrl: string): string {
  return `- [${title}](${baseUrl}${path}): ${plain(lead)}`;
}
