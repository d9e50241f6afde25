// Kept answers ready to be sent, with every header put together beforehand.
import { readyBody, type ReadyAnswer, STANDARD_HEADERS } from "../../edge/http/ready-answers.ts";
import { OPEN_HEADERS } from "../http/cors.ts";
import { cacheControl, type KeptAnswer, type Variant } from "./kept-answer.ts";

/** The value is put in when the answer is sent. */
const REQUEST_ID = ["x-request-id", ""] as const;
const STANDARD: readonly string[] = [...STANDARD_HEADERS, ...Object.entries(OPEN_HEADERS).flat()];

type Ready = { readonly control: string; readonly whole: ReadyAnswer; readonly unchanged: ReadyAnswer };

/** Made when a variant is first wanted, and again when its Cache-Control changes, which is rare. */
const made = new WeakMap<Variant, Ready>();

/** Undefined if a client names tags in any way but the one tag it was given; the routes parse those. */
export function readyAnswer(
  answer: KeptAnswer,
  variant: Variant,
  ifNoneMatch: string | undefined,
  nowMs: number,
): ReadyAnswer | undefined {
  const control = cacheControl(answer.expiresAtMs, nowMs);
  let ready = made.get(variant);
  if (ready?.control !== control) {
    ready = makeReady(answer, variant, control);
    made.set(variant, ready);
  }
  if (ifNoneMatch === undefined) return ready.whole;
  return ifNoneMatch === variant.etag ? ready.unchanged : undefined;
}

function makeReady({ route }: KeptAnswer, { headers, body, etag }: Variant, control: string): Ready {
  return {
    control,
    whole: {
      status: 200,
      headers: [...STANDARD, ...headers, "cache-control", control, ...REQUEST_ID],
      body: readyBody(body),
      route,
      limit: "catalog",
    },
    unchanged: {
      status: 304,
      // Only what may have changed; the rest the client has, with the body.
      headers: [
        "access-control-allow-origin",
        OPEN_HEADERS["access-control-allow-origin"],
        "etag",
        etag,
        "vary",
        "accept-encoding",
        "cache-control",
        control,
        ...REQUEST_ID,
      ],
      body: undefined,
      route,
      limit: undefined,
    },
  };
}
