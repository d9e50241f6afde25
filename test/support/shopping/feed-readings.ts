// The rules of feeds without a published schema package, from their specifications: the Agentic Commerce Protocol's feed (release
// 2026-04-17, schema.feed.json) and Google's product data specification with its RSS 2.0 and text forms.
import { z } from "zod";

const price = z.strictObject({
  amount: z.number().int().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
const description = z
  .strictObject({
    plain: z.string().optional(),
    html: z.string().optional(),
    markdown: z.string().optional(),
  })
  .refine((forms) => Object.keys(forms).length > 0, { error: "needs a form" });
const media = z.strictObject({
  type: z.string(),
  url: z.url(),
  alt_text: z.string().optional(),
  width: z.number().int().optional(),
  height: z.number().int().optional(),
});
const seller = z.strictObject({
  name: z.string().optional(),
  links: z.array(z.strictObject({ type: z.string(), title: z.string().optional(), url: z.url() })).optional(),
});
const measure = z.strictObject({ value: z.number(), unit: z.string() });

const acpVariant = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: description.optional(),
  url: z.url().optional(),
  barcodes: z.array(z.strictObject({ type: z.string(), value: z.string() })).optional(),
  price: price.optional(),
  list_price: price.optional(),
  unit_price: price.extend({ measure, reference: measure }).optional(),
  availability: z
    .strictObject({ available: z.boolean().optional(), status: z.string().optional() })
    .optional(),
  categories: z.array(z.strictObject({ value: z.string(), taxonomy: z.string().optional() })).optional(),
  condition: z.array(z.string()).optional(),
  variant_options: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  media: z.array(media).optional(),
  seller: seller.optional(),
  marketplace: seller.optional(),
});

/** A line of products.jsonl. */
export const acpProductReading = z.strictObject({
  id: z.string(),
  title: z.string().optional(),
  description: description.optional(),
  url: z.url().optional(),
  media: z.array(media).optional(),
  variants: z.array(acpVariant).min(1),
});

/** metadata.json. */
export const acpMetadataReading = z.strictObject({
  id: z.string(),
  target_country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  updated_at: z.iso.datetime().optional(),
});

const MINUTE = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\dZ`;
const money = z
  .string()
  .regex(/^\d+\.\d\d USD$/)
  .refine((text) => Number.parseFloat(text) > 0, { error: "must be above nothing" });
const text = (most: number) =>
  z.string().refine((value) => value.trim() !== "" && [...value].length <= most, { error: `1 to ${most}` });
const link = z.url().max(2_000);

/** The attributes of one item. */
export const googleItemReading = z
  .strictObject({
    id: z.string().min(1).max(50),
    title: text(150),
    description: text(5_000),
    link,
    image_link: link.refine((url) => !/\.svg(\?|$)/i.test(url), { error: "must be a picture of points" }),
    availability: z.enum(["in_stock", "out_of_stock", "preorder", "backorder"]),
    price: money,
    sale_price: money.optional(),
    sale_price_effective_date: z
      .string()
      .max(51)
      .regex(new RegExp(`^${MINUTE}/${MINUTE}$`))
      .refine((range) => (range.split("/")[0] ?? "") < (range.split("/")[1] ?? ""), {
        error: "must end later",
      })
      .optional(),
    brand: text(70).optional(),
    condition: z.enum(["new", "refurbished", "used"]).optional(),
    identifier_exists: z.enum(["yes", "no"]).optional(),
    product_type: text(750).optional(),
    google_product_category: text(750).optional(),
  })
  .refine(({ price, sale_price: sale }) => !sale || Number.parseFloat(sale) < Number.parseFloat(price), {
    error: "a sale must cost less",
  });

const LEGAL = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The items of an RSS 2.0 document with the namespace g. Throws when it is malformed or has other elements. */
export function readGoogleXml(xml: string): Record<string, string>[] {
  if (!LEGAL.test(xml)) throw new Error("a character that no XML may hold");
  const [, channel = ""] =
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<rss xmlns:g="http:\/\/base\.google\.com\/ns\/1\.0" version="2\.0">\n<channel>\n([^]*)<\/channel>\n<\/rss>\n$/.exec(
      xml,
    ) ?? [];
  if (channel === "") throw new Error("not a channel of RSS 2.0");
  const [head = "", ...items] = channel.split("<item>\n");
  if (!/^<title>[^<]+<\/title>\n<link>[^<]+<\/link>\n<description>[^<]+<\/description>\n$/.test(head))
    throw new Error(`a channel that begins with ${head.slice(0, 200)}`);
  return items.map((item) => {
    const inner = /^([^]*)<\/item>\n$/.exec(item)?.[1] ?? "";
    const fields: Record<string, string> = {};
    const rest = inner.replace(/<g:(\w+)>([^<]*)<\/g:\1>\n/g, (_all, name: string, value: string) => {
      if (fields[name] !== undefined) throw new Error(`${name} comes twice`);
      fields[name] = value.replace(/&(?:#(\d+)|(\w+));|&/g, (_entity, code?: string, known?: string) => {
        if (code !== undefined) return String.fromCodePoint(Number(code));
        const character = known === undefined ? undefined : ENTITIES[known];
        if (character === undefined) throw new Error(`an ampersand that stands for nothing in ${name}`);
        return character;
      });
      return "";
    });
    if (rest !== "") throw new Error(`something between the attributes: ${rest.slice(0, 200)}`);
    return fields;
  });
}

/** The rows of a tab-separated feed, by the names of its first line, without empty fields. */
export function readGoogleText(tsv: string): Record<string, string>[] {
  if (!tsv.endsWith("\n")) throw new Error("a line that does not end");
  const [names = [], ...rows] = tsv
    .slice(0, -1)
    .split("\n")
    .map((line) => line.split("\t"));
  return rows.map((fields) => {
    if (fields.length !== names.length) throw new Error(`${fields.length} fields for ${names.length} names`);
    const pairs = fields.map((field, i): [string, string] => [names[i] ?? "", unquoted(field)]);
    return Object.fromEntries(pairs.filter(([, value]) => value !== ""));
  });
}

function unquoted(field: string): string {
  if (!field.includes('"')) return field;
  const inner = /^"((?:[^"]|"")*)"$/.exec(field)?.[1];
  if (inner === undefined) throw new Error(`quotes that do not match in ${field.slice(0, 200)}`);
  return inner.replaceAll('""', '"');
}
