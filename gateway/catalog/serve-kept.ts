// The way of every request for a kept answer: has the client it already, may it ask, is the query right, the answer.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RateLimits } from "../../edge/http/rate-limit.ts";
import { countAddress } from "../http/auth.ts";
import type { Answer, AnswerContent } from "./kept-answer.ts";
import type { KeptAnswers } from "./kept-answers.ts";

export type Wanted = {
  /** Names the answer among all. */
  readonly key: string;
  readonly ask: () => Promise<AnswerContent>;
};

export type Serving = {
  readonly answers: KeptAnswers;
  readonly limits: RateLimits;
  readonly read: () => Wanted;
  /** In the place of those that answers of the API have. */
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * `read` parses the request, and throws where it is invalid. A client with the current response gets 304 first, which does not count for
 * the rate limit of its address: to refuse it would be no less work.
 */
export async function serveKept(
  request: FastifyRequest,
  reply: FastifyReply,
  { answers, limits, read, headers = {} }: Serving,
): Promise<FastifyReply> {
  const wanted = attempt(read);
  if (wanted.ok) {
    const unchanged = answers.findUnchanged(request, wanted.value.key);
    if (unchanged) return send(reply, unchanged, headers);
  }
  await countAddress(request, reply, limits, "catalog");
  if (!wanted.ok) throw wanted.error;
  const { key, ask } = wanted.value;
  return send(reply, await answers.answer(request, key, ask), headers);
}

function send(
  reply: FastifyReply,
  { status, headers, body }: Answer,
  over: Readonly<Record<string, string>>,
): FastifyReply {
  for (let i = 0; i + 1 < headers.length; i += 2) reply.header(headers[i] ?? "", headers[i + 1]);
  return reply.headers(over).code(status).send(body);
}

type Attempt<T> = { ok: true; value: T } | { ok: false; error: unknown };

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}
