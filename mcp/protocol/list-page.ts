// Pages of long lists. A cursor says how many items came before, so nothing has to be stored for it.
const PAGE = 50;

export type ListPage<T> = { readonly items: readonly T[]; readonly nextCursor: string | undefined };

/** Returns undefined for a cursor that no page of this list has. */
export function toListPage<T>(all: readonly T[], cursor: string | undefined): ListPage<T> | undefined {
  const start = cursor === undefined ? 0 : startOf(cursor);
  const isHere = start === 0 ? cursor === undefined : start % PAGE === 0 && start < all.length;
  if (!isHere) return undefined;
  const end = start + PAGE;
  return { items: all.slice(start, end), nextCursor: end < all.length ? cursorTo(end) : undefined };
}

function cursorTo(start: number): string {
  return Buffer.from(String(start)).toString("base64url");
}

/** Returns NaN for anything that is not a cursor. */
function startOf(cursor: string): number {
  const start = Number(Buffer.from(cursor, "base64url").toString("latin1"));
  return cursorTo(start) === cursor ? start : Number.NaN;
}
