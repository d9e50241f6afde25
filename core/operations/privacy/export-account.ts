// Everything that the service stores about an account's owner, as one JSON document that is written piece by piece: however many jobs there
// are, only a page of them is in memory.
import type { App } from "../../kernel/app.ts";
import type { ExportedPage } from "../../kernel/owned.ts";

const PAGE = 100;

/** The pieces of a JSON object, in order. Keys are masked, secrets are left out, and files are named with addresses that work for a day. */
export async function* exportAccount(app: App, accountId: string): AsyncGenerator<string> {
  const parts = await Promise.all(app.owned.map((owned) => owned.export?.parts?.(app, accountId)));
  const whole: object = Object.assign({ exported_at: app.clock.now().toISOString() }, ...parts);
  yield JSON.stringify(whole).slice(0, -1);
  for (const owned of app.owned)
    for (const [name, pageOf] of Object.entries(owned.export?.lists ?? {}))
      yield* list(
        name,
        ofPages((cursor) => pageOf(app, accountId, { limit: PAGE, cursor })),
      );
  yield "}\n";
}

/** `,"name":[…]` */
async function* list(name: string, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let first = true;
  for await (const item of items) {
    yield (first ? "" : ",") + JSON.stringify(item);
    first = false;
  }
  yield "]";
}

async function* ofPages(page: (cursor: string) => Promise<ExportedPage>): AsyncGenerator {
  let cursor = "";
  do {
    const { rows, nextCursor } = await page(cursor);
    yield* rows;
    cursor = nextCursor;
  } while (cursor !== "");
}
