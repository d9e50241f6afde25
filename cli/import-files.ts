// The files of an import: a row's download_key names one in a folder. They are located while the rows are read, and added to their products
// after the rows are stored.
import { realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { AppError } from "../proto/codes.ts";
import { UsageError } from "./failure.ts";
import type { Finding, Row } from "./product-rows.ts";

export type ImportedFile = { readonly line: number; readonly slug: string; readonly path: string };

export type FileCounts = { added: number; unchanged: number; refused: number };

/** Throws UsageError if `folder` is not a folder. */
export function createFileFinder(folder: string, onFinding: (finding: Finding) => void) {
  const root = realFolder(folder);
  const files: ImportedFile[] = [];
  let missing = 0;
  return {
    files,
    missing: () => missing,
    /** Passes the rows on; a row whose file is unavailable is reported, and imported anyway. */
    async *through(rows: AsyncIterable<Row>, fromLine: number): AsyncGenerator<Row> {
      for await (const row of rows) {
        const isRead = "json" in row && row.line >= fromLine;
        const { slug, key } = isRead ? namesOf(row.json) : { slug: "", key: "" };
        if (slug !== "" && key !== "") {
          const path = fileIn(root, key);
          if (path === undefined) {
            missing++;
            onFinding({ line: row.line, slug, path: "download_key", message: `is no file in ${folder}` });
          } else files.push({ line: row.line, slug, path });
        }
        yield row;
      }
    },
  };
}

/** Adds each file separately: a refused one does not affect the others. */
export async function addFiles(
  files: readonly ImportedFile[],
  add: (file: ImportedFile) => Promise<{ added: boolean }>,
  onFinding: (finding: Finding) => void,
): Promise<FileCounts> {
  const counts: FileCounts = { added: 0, unchanged: 0, refused: 0 };
  for (const file of files) {
    try {
      const { added } = await add(file);
      counts[added ? "added" : "unchanged"]++;
    } catch (error) {
      if (!isAboutTheFile(error)) throw error;
      counts.refused++;
      const { line, slug } = file;
      const issues = error instanceof AppError ? (error.issues ?? []) : [];
      const message = issues.map((issue) => issue.message).join("; ") || error.message;
      onFinding({ line, slug, path: "download_key", message });
    }
  }
  return counts;
}

function isAboutTheFile(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return (
    error instanceof AppError && (error.code === "invalid_request" || error.code === "product_not_found")
  );
}

function realFolder(folder: string): string {
  try {
    if (statSync(folder).isDirectory()) return realpathSync(folder);
  } catch (error) {
    throw new UsageError(`${folder} cannot be read: ${(error as Error).message}`);
  }
  throw new UsageError(`${folder} is not a folder`);
}

/** Nothing outside the folder, whatever the key or a link says. */
function fileIn(root: string, key: string): string | undefined {
  try {
    const path = realpathSync(join(root, key));
    return path.startsWith(root + sep) && statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The import itself reports a row of the wrong form. */
function namesOf(json: string): { slug: string; key: string } {
  try {
    const { slug, download_key: key } = JSON.parse(json) as Record<string, unknown>;
    return { slug: typeof slug === "string" ? slug : "", key: typeof key === "string" ? key : "" };
  } catch {
    return { slug: "", key: "" };
  }
}
