// The library as clients see it: the products that a person holds licences for, their files, and the downloads.
import { z } from "zod";
import { licenceSchema } from "./membership.ts";
import { MAX_SLUG_CHARACTERS } from "./product.ts";

const MAX_NAME = 120;
const MAX_VERSION = 40;

export const productFileSchema = z
  .object({
    file_id: z.string(),
    product_id: z.string(),
    name: z.string().describe("As it is saved."),
    version: z.string(),
    bytes: z.number().int(),
    media_type: z.string(),
    sha256: z.string().describe("Of the whole file, in hex."),
    added_at: z.iso.datetime(),
  })
  .meta({ id: "ProductFile" });

export const libraryLicenceSchema = licenceSchema
  .extend({
    terms_version: z.number().int().describe("Of the terms of its kind, those that it was granted under."),
    order_id: z.string().nullable().describe("The order that it came with; null where there was none."),
    files: z.array(productFileSchema).describe("None once it is revoked."),
  })
  .meta({ id: "LibraryLicence" });

export const downloadSchema = z
  .object({
    download_id: z.string(),
    file_id: z.string(),
    product_slug: z.string(),
    name: z.string(),
    version: z.string(),
    licence_id: z.string(),
    network: z.string().describe("Coarse: a /24 of IPv4 or a /48 of IPv6."),
    requests: z.number().int().describe("Made within the hour, parts of the file included."),
    first_at: z.iso.datetime(),
    last_at: z.iso.datetime(),
  })
  .meta({ id: "Download" });

/** What an operator says about a file before sending it. */
export const productFileHeadlineSchema = z.object({
  product_slug: z.string().min(1).max(MAX_SLUG_CHARACTERS),
  name: z
    .string()
    .min(1)
    .max(MAX_NAME)
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ._()+-]*$/, {
      error: "must begin with a letter or a digit and have only letters, digits, spaces and . _ ( ) + -",
    })
    .refine((name) => !name.endsWith("."), { error: "must not end with a dot" }),
  version: z
    .string()
    .min(1)
    .max(MAX_VERSION)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/, {
      error: "must be a word of letters, digits and . _ + -, for example 1.2",
    }),
  bytes: z.int().refine((bytes) => bytes > 0, { error: "is 0: the file is empty" }),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: "must be a SHA-256 in hex" }),
});

export type ProductFileResource = z.output<typeof productFileSchema>;
export type LibraryLicenceResource = z.output<typeof libraryLicenceSchema>;
export type DownloadResource = z.output<typeof downloadSchema>;
export type ProductFileHeadline = z.output<typeof productFileHeadlineSchema>;
