// A key is read from each request alone, whatever requests came before it over the same connection.
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readSentKey } from "../../edge/sent-key.ts";
import { AppError } from "../../proto/codes.ts";
import { generateApiKey, type KeyKind } from "../../runtime/keys/api-key.ts";

const KEYS = [generateApiKey("gen"), generateApiKey("gen"), generateApiKey("mem"), "atl_gen_mistyped"];

const authorization = fc.constantFrom(
  ...KEYS.flatMap((key) => [`Bearer ${key}`, `Token ${key}`]),
  "Basic YTpi",
);
const headers = fc.record({ authorization, "x-api-key": fc.constantFrom(...KEYS) }, { requiredKeys: [] });
const request = fc.record({
  headers: fc.oneof(
    { weight: 3, arbitrary: fc.record({ authorization }) },
    { weight: 1, arbitrary: headers },
  ),
  kind: fc.constantFrom<KeyKind>("gen", "mem"),
});

function outcome(sent: object, kind: KeyKind, socket: Socket): string {
  try {
    return readSentKey({ headers: sent, socket } as IncomingMessage, kind);
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

test("[KEY-40] a connection's earlier requests do not change which key a request sends", () => {
  fc.assert(
    fc.property(fc.array(request, { minLength: 2, maxLength: 12 }), (requests) => {
      const connection = new Socket();
      const over = (socket: () => Socket) => requests.map((one) => outcome(one.headers, one.kind, socket()));
      expect(over(() => connection)).toEqual(over(() => new Socket()));
    }),
  );
});
