// A job's work in its trace. All later work for it, in any process, is below the span in which it was accepted.
import { type Span, type SpanOptions, type Tracing, tracedUnder } from "../../../runtime/log/tracing.ts";
import type { Provider, ProviderRequest } from "../../adapters/providers/provider.ts";
import type { App } from "../../kernel/app.ts";
import type { Claim } from "./local-dispatch.ts";

/** A run in a span, and before its first one the time in the queue. */
export function tracedRun(
  { tracing }: Pick<App, "tracing">,
  { job, startedAt }: Claim,
  kind: string,
  run: (span: Span | undefined) => Promise<void>,
): Promise<void> {
  const { trace, started_at: startedBefore, created_at: createdAt } = job;
  const attributes = { "atelier.job.id": job._id, "atelier.model": job.model_slug };
  if (tracing && trace !== undefined && startedBefore === null)
    tracing.start("wait in queue", { parent: trace, startedAt: createdAt, attributes }).end(startedAt);
  const span: SpanOptions = { kind: "consumer", attributes: { ...attributes, "atelier.run.task": kind } };
  return tracedUnder(tracing, trace, ["run job", span], run);
}

/** Name and attributes of a provider call, without the job's content. */
export function callSpan(
  operation: "generate_content" | "poll",
  { name }: Pick<Provider, "name">,
  { model, modality }: Pick<ProviderRequest, "model" | "modality">,
): readonly [string, SpanOptions] {
  const attributes = {
    "gen_ai.operation.name": operation,
    "gen_ai.provider.name": name,
    "gen_ai.request.model": model,
    "gen_ai.output.type": modality,
  };
  return [`${operation} ${model}`, { kind: "client", attributes }];
}

/** Jobs that were claimed in one transaction, which began then. */
export function tellOfClaims(tracing: Tracing, claims: readonly Claim[], begunAt: Date): void {
  const spans = claims
    .flatMap(({ job: { _id: id, trace: parent } }) =>
      parent === undefined
        ? []
        : [tracing.start("claim job", { parent, startedAt: begunAt, attributes: { "atelier.job.id": id } })],
    )
    .filter(({ isSampled }) => isSampled);
  if (spans.length === 0) return;
  const batch = tracing.start("commit claimed jobs", {
    isOwnTrace: true,
    startedAt: begunAt,
    links: spans.map(({ traceparent }) => traceparent),
    attributes: { "atelier.batch.size": claims.length },
  });
  for (const span of spans) {
    span.link(batch.traceparent);
    span.end();
  }
  batch.end();
}
