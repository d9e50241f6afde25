// Imports an operator's batch of products. Either all of it is written or, if anything is wrong with it, nothing.
import { randomUUID } from "node:crypto";
import { invalidField } from "../../../proto/codes.ts";
import { toIssues } from "../../../proto/resources/issues.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { mergeRow, type ProductRow, productRowSchema } from "./product-row.ts";
import {
  type CategoryDoc,
  findCategories,
  findProductsByIds,
  findProductsBySlugs,
  findTags,
  type ProductDoc,
  putCategories,
  putTags,
  type TagDoc,
} from "./store.ts";
import { type Plan, writeCatalog } from "./write-catalog.ts";

const MAX_ROWS = 1_000;

export type ImportFinding = {
  readonly line: number;
  readonly slug: string;
  /** The field, or empty for the row as a whole. */
  readonly path: string;
  readonly message: string;
};

export type ImportBatch = {
  readonly rows: readonly { readonly line: number; readonly json: string }[];
  readonly dryRun: boolean;
  /** Adds missing categories and tags instead of reporting them as findings. */
  readonly createMissing: boolean;
};

export type ImportOutcome = {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly findings: ImportFinding[];
  readonly version: number;
};

type Parsed = { readonly line: number; readonly row: ProductRow };

/** Throws invalid_request only for too many rows; what is wrong with a row is a finding. */
export async function importProducts(
  app: Pick<App, "mongo" | "clock">,
  { rows, dryRun, createMissing }: ImportBatch,
): Promise<ImportOutcome> {
  if (rows.length > MAX_ROWS) {
    throw invalidField("rows", `must have at most ${MAX_ROWS} items`);
  }
  const { parsed, findings } = parseRows(rows);
  const ids = new Map(parsed.map(({ row }) => [row.slug, randomUUID() as string]));
  const { answer, ...counts } = await writeCatalog<ImportFinding[]>(
    app,
    async (tx) => {
      const plan = await planImport(app, parsed, { ids, createMissing, tx });
      // A single finding leaves everything unchanged.
      return findings.length + plan.answer.length === 0 ? plan : { answer: plan.answer };
    },
    { dryRun },
  );
  const all = [...findings, ...answer].sort((a, b) => a.line - b.line);
  return { ...counts, findings: all };
}

function parseRows(rows: ImportBatch["rows"]): { parsed: Parsed[]; findings: ImportFinding[] } {
  const parsed: Parsed[] = [];
  const findings: ImportFinding[] = [];
  const lineOfSlug = new Map<string, number>();
  for (const { line, json } of rows) {
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch {
      findings.push({ line, slug: "", path: "", message: "is not valid JSON" });
      continue;
    }
    const result = productRowSchema.safeParse(value, { reportInput: true });
    if (!result.success) {
      const slug = slugOf(value);
      findings.push(...toIssues(result.error).map((issue) => ({ line, slug, ...issue })));
      continue;
    }
    const { slug } = result.data;
    const first = lineOfSlug.get(slug);
    if (first !== undefined)
      findings.push({ line, slug, path: "slug", message: `is in line ${first} already` });
    else parsed.push({ line, row: result.data });
    lineOfSlug.set(slug, first ?? line);
  }
  return { parsed, findings };
}

function slugOf(value: unknown): string {
  const slug = typeof value === "object" && value !== null && "slug" in value ? value.slug : "";
  return typeof slug === "string" ? slug.slice(0, 100) : "";
}

type PlanOptions = {
  ids: ReadonlyMap<string, string>;
  createMissing: boolean;
  tx: TxContext;
};

async function planImport(
  app: Pick<App, "mongo">,
  parsed: readonly Parsed[],
  { ids, createMissing, tx }: PlanOptions,
): Promise<Plan<ImportFinding[]>> {
  const { db } = app.mongo;
  const stored = await findProductsBySlugs(
    db,
    parsed.map(({ row }) => row.slug),
    tx,
  );
  const bySlug = new Map(stored.map((product) => [product.slug, product]));
  const givenIds = parsed.flatMap(({ row }) => row.id ?? []);
  const slugOfId = new Map((await findProductsByIds(db, givenIds, tx)).map(({ _id, slug }) => [_id, slug]));
  const taxonomy = await readTaxonomy(app, tx);
  const findings: ImportFinding[] = [];
  const products = parsed.map(({ line, row }) => {
    const { slug } = row;
    const before = bySlug.get(slug);
    const wanted = mergeRow(before, row, { id: ids.get(slug) ?? "", now: tx.now });
    const note = (path: string, message: string) => findings.push({ line, slug, path, message });
    checkIdentity(row, before, slugOfId, note);
    slugOfId.set(wanted._id, slug);
    if (createMissing) taxonomy.addMissing(wanted);
    taxonomy.check(wanted, note);
    return { before, wanted };
  });
  return {
    answer: findings,
    products,
    write: async () => {
      await putCategories(db, taxonomy.addedCategories, tx);
      await putTags(db, taxonomy.addedTags, tx);
    },
  };
}

type Note = (path: string, message: string) => void;

function checkIdentity(
  { id, name, slug }: ProductRow,
  before: ProductDoc | undefined,
  slugOfId: ReadonlyMap<string, string>,
  note: Note,
): void {
  if (!before && name === undefined) note("name", "is required for a new product");
  if (name === null) note("name", "cannot be cleared");
  if (id === undefined) return;
  if (before && before._id !== id) note("id", "is not the id of the product that has this slug");
  const owner = slugOfId.get(id);
  if (owner !== undefined && owner !== slug) note("id", "is the id of another product");
}

async function readTaxonomy(app: Pick<App, "mongo">, tx: TxContext) {
  const parents = new Map((await findCategories(app.mongo.db, tx)).map(({ _id, parent }) => [_id, parent]));
  const tags = new Set((await findTags(app.mongo.db, tx)).map(({ _id }) => _id));
  const addedCategories: CategoryDoc[] = [];
  const addedTags: TagDoc[] = [];

  function addCategory(slug: string, parent: string | null): void {
    if (parents.has(slug)) return;
    parents.set(slug, parent);
    addedCategories.push({ _id: slug, name: nameOfSlug(slug), parent });
  }

  return {
    addedCategories,
    addedTags,
    addMissing: ({ category, subcategory, tags: wanted }: ProductDoc) => {
      if (category !== null) addCategory(category, null);
      if (subcategory !== null && category !== null) addCategory(subcategory, category);
      for (const tag of wanted) {
        if (tags.has(tag)) continue;
        tags.add(tag);
        addedTags.push({ _id: tag, name: nameOfSlug(tag) });
      }
    },
    check: ({ category, subcategory, tags: wanted }: ProductDoc, note: Note) => {
      if (category !== null) {
        if (!parents.has(category)) note("category", "is not a category");
        else if (parents.get(category) !== null) note("category", "is a subcategory");
      }
      if (subcategory !== null) {
        if (!parents.has(subcategory)) note("subcategory", "is not a subcategory");
        else if (category === null) note("subcategory", "needs a category");
        else if (parents.get(subcategory) !== category)
          note("subcategory", "does not belong to the category");
      }
      const unknown = wanted.filter((tag) => !tags.has(tag));
      if (unknown.length > 0) note("tags", `${unknown.join(", ")}: no such tag`);
    },
  };
}

/** For example "ui-kits" gives "Ui kits". */
function nameOfSlug(slug: string): string {
  const words = slug.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
