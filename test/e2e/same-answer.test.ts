// One catalog query on every surface: each returns the same products, or the same error code.
import { beforeAll, describe, expect, test } from "vitest";
import { AppError } from "../../proto/codes.ts";
import type { CatalogPageResource } from "../../proto/resources/product.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { importRows, row } from "../core/shop/catalog/rows.ts";
import { createMember } from "../core/shop/memberships/members.ts";
import { callTool } from "../mcp/messages.ts";
import type { HttpCalls } from "../support/http-calls.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

type Question = { search?: string; status?: string[]; page?: number };
/** Slugs, or the refusal's code. */
type Answer = readonly string[] | string;
type Surface = (question: Question, from: HttpCalls) => Promise<Answer>;

let memberKey: string;
const service = sharedByTests(() => startWholeService({ worker: false }));
beforeAll(async () => {
  memberKey = (await createMember(service, service.core)).key;
  await importRows(service.core, [
    row("icon-harbour", { name: "Harbour Icons", status: "featured" }),
    row("font-slab", { name: "Slab Font", status: "beta" }),
    row("lamp", { name: "Secret Lamp", status: "draft" }),
    row("relic", { name: "Old Relic", status: "archived" }),
  ]);
  await waitFor("the products", async () => {
    const { body } = await service.call<CatalogPageResource>("/api/catalog");
    return body.total === 2;
  });
});

const ALL = ["font-slab", "icon-harbour"];

function toQuery({ search, status, page }: Question): string {
  const query = new URLSearchParams();
  if (search !== undefined) query.set("search", search);
  if (status !== undefined) query.set("status", status.join(","));
  if (page !== undefined) query.set("page", String(page));
  return query.toString();
}

async function overTools(
  path: string,
  key: string | undefined,
  args: object,
  from: HttpCalls,
): Promise<{ refused: string } | { data: Record<string, unknown> }> {
  type Body = {
    error?: { data: { code: string } };
    result?: {
      isError?: true;
      _meta?: Record<string, { code: string }>;
      structuredContent: Record<string, unknown>;
    };
  };
  const { body } = await from.call<Body>(path, {
    ...(key !== undefined && { key }),
    method: "POST",
    body: callTool("search_catalog", args),
  });
  const { error, result } = body;
  if (error) return { refused: error.data.code };
  if (result?.isError) return { refused: result._meta?.["atelier/error"]?.code ?? "" };
  return { data: result?.structuredContent ?? {} };
}

function searchTool(path: string, key?: () => string): Surface {
  return async (question, from) => {
    const answer = await overTools(path, key?.(), question, from);
    if ("refused" in answer) return answer.refused;
    return slugsOf(answer.data["products"], "slug");
  };
}

function slugsOf(products: unknown, name: string): string[] {
  return (products as Record<string, string>[]).map((product) => product[name] ?? "").toSorted();
}

const SURFACES: Readonly<Record<string, Surface>> = {
  REST: async (question, from) => {
    const { body } = await from.call<CatalogPageResource & { code?: string }>(
      `/api/catalog?${toQuery(question)}`,
    );
    return body.code ?? slugsOf(body.data, "slug");
  },
  website: async (question, from) => {
    const { text, status } = await from.call(`/products?${toQuery(question)}`, {
      headers: { accept: "text/html" },
    });
    if (status === 400) return "invalid_request";
    if (status >= 500) return "catalog_unavailable";
    const links = [...text.matchAll(/<article class="product-card">.*?href="\/products\/([\w-]+)"/gs)];
    return links.map(([, slug = ""]) => slug).toSorted();
  },
  gRPC: async ({ search = "", status = [], page = 1 }) => {
    try {
      const { body } = await service.core.catalog.ListProducts({ search, statuses: status, page });
      return slugsOf((JSON.parse(Buffer.from(body).toString()) as CatalogPageResource).data, "slug");
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  },
  "tools of the catalog": searchTool("/mcp"),
  "tools of members": searchTool("/api/member/mcp", () => memberKey),
};
const EVERYWHERE = Object.keys(SURFACES);

const QUESTIONS: readonly [question: Question, answer: Answer][] = [
  [{ search: "slab" }, ["font-slab"]],
  [{ search: "no such thing" }, []],
  [{ search: "   " }, []],
  [{ search: "\t\u00a0" }, []],
  [{ search: "!?" }, []],
  [{ search: " - " }, []],
  [{ search: "x".repeat(201) }, "invalid_request"],
  [{ search: "" }, ALL],
  [{}, ALL],
  [{ status: ["beta"] }, ["font-slab"]],
  [{ status: ["draft"] }, []],
  [{ status: ["archived"] }, []],
  [{ status: ["draft", "beta"] }, ["font-slab"]],
  [{ status: ["sold"] }, "invalid_request"],
  [{ page: -1 }, "invalid_request"],
  [{ page: 9 }, []],
];

describe.each(
  QUESTIONS.flatMap(([question, answer]) =>
    EVERYWHERE.map((name) => [JSON.stringify(question), name, question, answer] as const),
  ),
)("the query %s", (_shown, name, question, answer) => {
  test(`has the same result over ${name} as on every surface`, async () => {
    expect(await SURFACES[name]?.(question, service)).toEqual(answer);
  });
});

// Core checks the member's key before the tool is called.
test.each(EVERYWHERE.filter((name) => !["gRPC", "tools of members"].includes(name)))(
  "the query %s is refused with catalog_unavailable on every surface without core",
  async (name) => {
    const away = await service.openEdge({ ATELIER_CORE_ADDRESS: `127.0.0.1:${await freePort()}` });
    expect(await SURFACES[name]?.({ search: "slab" }, away)).toBe("catalog_unavailable");
  },
);
