// /jobs and what a person does there: look, cancel, have a callback delivered again. Files and live events are for the pages' own use.
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { deliverySchema } from "../../../proto/resources/callback.ts";
import { jobSchema, jobStateSchema, modalitySchema } from "../../../proto/resources/job.ts";
import type { GatewayOptions } from "../../gateway.ts";
import { pageQuery } from "../../http/query.ts";
import { jobParams, outputParams, watchHeaders, watchQuery } from "../../answers/job-params.ts";
import { sendJobEvents } from "../../answers/send-job-events.ts";
import { sendOutput } from "../../answers/send-output.ts";
import { renderPage } from "../layout/render-page.ts";
import { type Person, personCall, requirePerson } from "../session/current-person.ts";
import { requireFormSender } from "../session/protect.ts";
import { jobPage } from "./job-page.ts";
import { jobsPage } from "./jobs-page.ts";
import { jobPath, JOBS_PATH } from "./paths.ts";

const PAGE_SIZE = 25;
/** An empty choice of a form is none. */
const choice = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());
const jobsQuery = z.object({
  cursor: pageQuery.cursor,
  state: choice(jobStateSchema),
  modality: choice(modalitySchema),
});

export function jobsRoutes(server: FastifyInstance, { core, limits, config }: GatewayOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>();
  const draining = new AbortController();
  app.addHook("preClose", async () => draining.abort());

  app.get(JOBS_PATH, { schema: { querystring: jobsQuery } }, async (request, reply) => {
    const person = await requirePerson(request, reply);
    const { state = "", modality = "", cursor = "" } = request.query;
    const page = await core.jobs.ListJobs(
      { limit: PAGE_SIZE, cursor, state, modality },
      personCall(person, request),
    );
    const jobs = fromMessages(jobSchema, page.jobs);
    return renderPage(
      reply,
      jobsPage({ person, jobs, filter: { state, modality }, cursor, nextCursor: page.next_cursor }),
    );
  });

  app.get(`${JOBS_PATH}/:id`, { schema: { params: jobParams } }, async (request, reply) => {
    const person = await requirePerson(request, reply);
    return sendJob(request, reply, person, request.params.id);
  });

  app.post(`${JOBS_PATH}/:id/cancel`, { schema: { params: jobParams } }, async (request, reply) => {
    const person = await requireFormSender(request, reply, limits);
    const { id } = request.params;
    try {
      await core.jobs.CancelJob({ job_id: id }, personCall(person, request));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "job_not_cancellable") throw error;
      return sendJob(request, reply, person, id, error);
    }
    return reply.redirect(jobPath(id), 303);
  });

  app.post(`${JOBS_PATH}/:id/redeliver`, { schema: { params: jobParams } }, async (request, reply) => {
    const person = await requireFormSender(request, reply, limits);
    const { id } = request.params;
    await core.callbacks.Redeliver({ job_id: id }, personCall(person, request));
    return reply.redirect(`${jobPath(id)}#callback`, 303);
  });

  app.get(
    "/account/api/jobs/:id/events",
    { schema: { params: jobParams, querystring: watchQuery, headers: watchHeaders } },
    async (request, reply) => {
      const person = await requirePerson(request, reply);
      return sendJobEvents(request, reply, {
        core,
        limits,
        config,
        draining: draining.signal,
        call: personCall(person, request),
        jobId: request.params.id,
        afterSeq: request.headers["last-event-id"] ?? request.query.after ?? 0,
      });
    },
  );

  app.get(
    "/account/api/jobs/:id/outputs/:output_id",
    { schema: { params: outputParams } },
    async (request, reply) => {
      const person = await requirePerson(request, reply);
      const { id: job_id, output_id } = request.params;
      return sendOutput(request, reply, {
        core,
        config,
        call: personCall(person, request),
        asked: { job_id, output_id },
        // Whoever uses the browser after them is asked who they are.
        cacheControl: "private, no-cache",
      });
    },
  );

  async function sendJob(
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person,
    jobId: string,
    refusal?: AppError,
  ): Promise<FastifyReply> {
    const call = personCall(person, request);
    const job = fromMessage(jobSchema, await core.jobs.GetJob({ job_id: jobId }, call));
    const { deliveries } = job.callback
      ? await core.callbacks.ListDeliveries({ job_id: jobId }, call)
      : { deliveries: [] };
    return renderPage(reply, {
      ...jobPage({
        person,
        job,
        deliveries: fromMessages(deliverySchema, deliveries),
        now: new Date(),
        ...(refusal && { refusal }),
      }),
      ...(refusal && { status: ERROR_TABLE[refusal.code].http }),
    });
  }
}
