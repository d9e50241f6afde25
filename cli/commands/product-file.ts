// atelier product file add | list | remove, and the files that an import adds from a folder
import { createHash } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Command } from "commander";
import type { CoreClient } from "../../proto/client.ts";
import type { AddedProductFile } from "../../proto/types/atelier/v1/AddedProductFile.ts";
import type { AddProductFilePartInput } from "../../proto/types/atelier/v1/AddProductFilePart.ts";
import type { ProductFile } from "../../proto/types/atelier/v1/ProductFile.ts";
import { UsageError } from "../failure.ts";
import { type Columns, count, listing } from "../layout.ts";
import type { Cli } from "../session.ts";

const PART_BYTES = 255 * 1024;
export const FIRST_VERSION = "1.0";

type AddFlags = { name?: string; fileVersion: string };

export function addProductFileCommands(product: Command, cli: Cli): void {
  const file = product
    .command("file")
    .description("manage the files that licences of a product include (needs --reason to change)");

  file
    .command("add <slug> <file>")
    .description("add a file to a product; repeating it with the same file changes nothing")
    .option("--name <name>", "name of the download; by default the name of the file")
    .option(
      "--file-version <version>",
      "version of the file; older ones remain until they are removed",
      FIRST_VERSION,
    )
    .action(async (slug: string, path: string, { name, fileVersion }: AddFlags) => {
      const { file: stored, added } = await cli.withCore((core) =>
        addFile(core, { slug, path, version: fileVersion, ...(name !== undefined && { name }) }),
      );
      const { file_id = "", bytes = 0, sha256 = "" } = stored ?? {};
      cli.show(
        { ...stored, added },
        `${file_id}: ${stored?.name} ${stored?.version} of ${slug}, ${count(bytes)} bytes, sha256 ${sha256}${added ? "" : " (it was there already)"}`,
      );
    });

  file
    .command("list <slug>")
    .description("list the files of a product by name, the newest version first")
    .action(async (slug: string) => {
      const { files } = await cli.withCore((core) => core.admin.ListProductFiles({ product_slug: slug }));
      cli.show(files, listing(files, COLUMNS, { nothing: "no files" }));
    });

  file
    .command("remove <slug> <file_id>")
    .description("remove a file for all holders of licences")
    .action((slug: string, id: string) =>
      cli.report(
        (core) => core.admin.RemoveProductFile({ product_slug: slug, file_id: id }),
        ({ file_id, name, version }) => `${file_id} (${name} ${version}) is removed from ${slug}`,
      ),
    );
}

const COLUMNS: Columns<ProductFile> = {
  FILE: "file_id",
  NAME: "name",
  VERSION: "version",
  BYTES: "bytes",
  TYPE: "media_type",
  ADDED: "added_at",
  "SHA-256": "sha256",
};

/** Throws UsageError for a file that cannot be read or is empty, and what core refuses. */
export async function addFile(
  core: CoreClient,
  {
    slug,
    path,
    version,
    name = basename(path),
  }: { slug: string; path: string; version: string; name?: string },
): Promise<AddedProductFile> {
  const { bytes, sha256 } = await measure(path);
  const headline = { product_slug: slug, name, version, bytes, sha256 };
  return core.admin.AddProductFile(parts(headline, path));
}

/**
 * The file is read once for its announced size and digest, and once more to send it. However large it is, only a part of it is in memory.
 */
async function measure(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    if (!(await stat(path)).isFile()) throw new Error("it is not a file");
    for await (const piece of readPieces(path)) {
      hash.update(piece);
      bytes += piece.length;
    }
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (bytes === 0) throw new UsageError(`${path} is empty`);
  return { bytes, sha256: hash.digest("hex") };
}

async function* parts(
  headline: NonNullable<AddProductFilePartInput["headline"]>,
  path: string,
): AsyncGenerator<AddProductFilePartInput> {
  yield { headline };
  for await (const data of readPieces(path)) yield { data };
}

async function* readPieces(path: string): AsyncGenerator<Buffer> {
  const handle = await open(path);
  try {
    yield* handle.createReadStream({ highWaterMark: PART_BYTES, autoClose: false }) as AsyncIterable<Buffer>;
  } finally {
    await handle.close();
  }
}
