// /jobs and its actions: list, search, cancel, delete files, and redeliver a callback. Files and live events are for the pages' own
// scripts.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { CoreClient } from "../../../proto/client.ts";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { deliverySchema } from "../../../proto/resources/callback.ts";
import {
  jobStatesSchema,
  modelFilterSchema,
  promptSearchSchema,
} from "../../../proto/resources/job-filter.ts";
import { jobSchema, modalitySchema } from "../../../proto/resources/job.ts";
import { jobParams, outputParams, watchHeaders, watchQuery } from "../../answers/path-params.ts";
import { sendJobEvents } from "../../answers/send-job-events.ts";
import { sendOutput } from "../../answers/send-output.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { pageQuery, queryWhole } from "../../http/query.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { orEmpty } from "../session/forms.ts";
import { readCookie, setCookie } from "../session/session-cookie.ts";
import { jobPage } from "./job-page.ts";
import { jobsPage } from "./jobs-page.ts";
import { askModelNames, modelNames } from "./model-names.ts";
import { jobPath, JOBS_PATH } from "./paths.ts";
import { starAction } from "./star.ts";
import { NOTICES, noticeText, worksActions } from "./works-actions.ts";
import { type View, VIEWS } from "./works-nav.ts";

/** Fills complete rows with two, three, four or six pictures each. */
const PAGE_SIZE = 24;
const VIEW_COOKIE = "atelier_jobs_view";
const YEAR_SECONDS = 365 * 24 * 60 * 60;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than a metadata name and value together. */
const MAX_PAIR = 600;
const date = orEmpty(z.iso.date());
const jobsQuery = z.object({
  cursor: pageQuery.cursor,
  view: orEmpty(z.enum(VIEWS)),
  search: orEmpty(promptSearchSchema),
  state: orEmpty(jobStatesSchema),
  modality: orEmpty(modalitySchema),
  model: orEmpty(modelFilterSchema),
  since: date,
  until: date,
  metadata: orEmpty(z.string().max(MAX_PAIR)),
  favourites: orEmpty(z.literal("1")),
  news: orEmpty(z.enum(NOTICES)),
  deleted: queryWhole(1).optional(),
});

/** The beginning of a day in UTC, or of the following day: an end date includes the whole day. */
function startOf(day: string, later: number): string {
  return new Date(Date.parse(day) + later * DAY_MS).toISOString();
}

/** `name=value`; a name alone has an empty value. */
function pairIn(text: string): Record<string, string> {
  if (text === "") return {};
  const [name = "", ...value] = text.split("=");
  return { [name.trim()]: value.join("=").trim() };
}

export function jobPages(app: GatewayApp, options: GatewayOptions): void {
  jobsList(app, options);
  worksActions(app, options);
  starAction(app, options);
  oneJob(app, options);
}

function jobsList(app: GatewayApp, { core, baseUrl }: GatewayOptions): void {
  app.get(JOBS_PATH, { schema: { querystring: jobsQuery } }, async (request, reply) => {
    const { cursor = "", view: chosen, news, deleted, ...filter } = request.query;
    const view = chosen || rememberedView(request);
    const kept = { path: JOBS_PATH, seconds: YEAR_SECONDS, isHttps: baseUrl.startsWith("https:") };
    if (chosen) reply.header("set-cookie", setCookie(VIEW_COOKIE, chosen, kept));
    const { favourites, metadata, since, until, ...rest } = filter;
    const asked = {
      ...rest,
      limit: PAGE_SIZE,
      cursor,
      since: since && startOf(since, 0),
      until: until && startOf(until, 1),
      metadata: pairIn(metadata),
      starred: favourites !== "",
    };
    const call = personCall(request);
    const [page, { models }] = await Promise.all([
      core.jobs.ListJobs(asked, call),
      core.models.ShowModels({ with_former: true }, call),
    ]);
    return renderPage(
      reply,
      jobsPage({
        person: request.person,
        jobs: fromMessages(jobSchema, page.jobs),
        starred: new Set(page.jobs.filter((job) => job.starred).map(({ job_id }) => job_id)),
        view,
        filter,
        models: models
          .filter(({ status, model_slug: slug }) => status === "live" || slug === filter.model)
          .map(({ model_slug: slug, name }) => ({ slug, name })),
        modelName: modelNames(models),
        cursor,
        nextCursor: page.next_cursor,
        lookedBackTo: page.looked_back_to,
        news: noticeText(news || undefined, deleted),
        now: new Date(),
      }),
    );
  });
}

/** The view, gallery or table, that the person chose last in this browser. */
function rememberedView({ headers }: FastifyRequest): View {
  const kept = readCookie(headers.cookie, VIEW_COOKIE);
  return VIEWS.find((view) => view === kept) ?? "gallery";
}

function oneJob(app: GatewayApp, { core }: GatewayOptions): void {
  const ofJob = { schema: { params: jobParams } };
  app.get(`${JOBS_PATH}/:id`, ofJob, (request, reply) => sendJob(reply, core, request.params.id));

  app.post(`${JOBS_PATH}/:id/cancel`, ofJob, async (request, reply) => {
    const { id } = request.params;
    try {
      await core.jobs.CancelJob({ job_id: id }, personCall(request));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "job_not_cancellable") throw error;
      return sendJob(reply, core, id, error);
    }
    return reply.redirect(jobPath(id), 303);
  });

  app.post(`${JOBS_PATH}/:id/delete-files`, ofJob, async (request, reply) => {
    const { id } = request.params;
    await core.jobs.DeleteOutputs({ job_id: id }, personCall(request));
    return reply.redirect(jobPath(id), 303);
  });

  app.post(`${JOBS_PATH}/:id/redeliver`, ofJob, async (request, reply) => {
    const { id } = request.params;
    await core.callbacks.Redeliver({ job_id: id }, personCall(request));
    return reply.redirect(`${jobPath(id)}#callback`, 303);
  });
}

/** The requests of a job's page: live events and files. */
export function jobFiles(app: GatewayApp, { core, limits, config }: GatewayOptions): void {
  const draining = new AbortController();
  app.addHook("preClose", async () => draining.abort());

  app.get(
    "/account/api/jobs/:id/events",
    { schema: { params: jobParams, querystring: watchQuery, headers: watchHeaders } },
    (request, reply) =>
      sendJobEvents(request, reply, {
        core,
        limits,
        config,
        draining: draining.signal,
        call: personCall(request),
        jobId: request.params.id,
        afterSeq: request.headers["last-event-id"] ?? request.query.after ?? 0,
      }),
  );

  app.get(
    "/account/api/jobs/:id/outputs/:output_id",
    { schema: { params: outputParams } },
    (request, reply) =>
      sendOutput(request, reply, {
        core,
        config,
        call: personCall(request),
        asked: { job_id: request.params.id, output_id: request.params.output_id },
        // The next person who uses this browser must sign in.
        cacheControl: "private, no-cache",
      }),
  );
}

async function sendJob(
  reply: FastifyReply,
  core: CoreClient,
  jobId: string,
  refusal?: AppError,
): Promise<FastifyReply> {
  const call = personCall(reply.request);
  const [message, modelName] = await Promise.all([
    core.jobs.GetJob({ job_id: jobId, with_receipt: true }, call),
    askModelNames(core, reply.request),
  ]);
  const job = fromMessage(jobSchema, message);
  const { deliveries } = job.callback
    ? await core.callbacks.ListDeliveries({ job_id: jobId }, call)
    : { deliveries: [] };
  return renderPage(reply, {
    ...jobPage({
      person: reply.request.person,
      job,
      modelName,
      receipt: message.receipt,
      isStarred: message.starred === true,
      deliveries: fromMessages(deliverySchema, deliveries),
      now: new Date(),
      ...(refusal && { refusal }),
    }),
    ...(refusal && { status: ERROR_TABLE[refusal.code].http }),
  });
}
