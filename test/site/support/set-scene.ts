// The website with content on every page: a newcomer with the first credits, and a customer with works, orders, tickets and keys.
import { randomUUID } from "node:crypto";
import { createLocalProvider } from "../../../core/adapters/providers/local/provider.ts";
import { ProviderError } from "../../../core/adapters/providers/provider.ts";
import { seedDevelopment } from "../../../core/entry/seed.ts";
import { openAccount } from "../../../core/identity/credits/open-account.ts";
import { AppError, type ErrorCode, ERROR_TABLE } from "../../../proto/codes.ts";
import { createLog } from "../../../runtime/log/log.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { createScriptedProvider } from "../../support/providers.ts";
import { waitFor } from "../../support/wait-for.ts";
import { startWholeService, type WholeService } from "../../support/whole-service.ts";
import { sendForm } from "./forms.ts";
import { type Browser, callOf, makeKey, signInAs } from "./sign-in.ts";

const WORK_BOUND_S = 60;
const CUSTOMER = "demo@atelier.test";
const NEWCOMER = "nora@example.com";
const FAILS = "A clip that the provider gives up on";

export type Scene = {
  readonly service: WholeService;
  readonly mail: MailServer;
  readonly newcomer: Browser;
  readonly customer: Browser;
  /** Ids of the customer's jobs. */
  readonly works: { readonly image: string; readonly audio: string; readonly video: string };
  readonly failed: string;
  readonly running: string;
  /** Ids of the customer's workflows. */
  readonly workflows: { readonly done: string; readonly failed: string; readonly running: string };
  /** Ids of the customer's orders, and the open one's id at the demo provider. */
  readonly orders: { readonly paid: string; readonly declined: string; readonly open: string };
  readonly demoPayment: string;
  readonly ticket: string;
  /** Ids of a key's approvals: open, approved and declined. */
  readonly confirmations: { readonly asked: string; readonly yes: string; readonly no: string };
  /** Slugs. */
  readonly products: { readonly sold: string; readonly free: string; readonly soon: string };
  /** The URLs at which each error of the table is thrown. */
  readonly errorPath: (code: ErrorCode) => string;
  close(): Promise<void>;
};

export const ERROR_CODES = Object.keys(ERROR_TABLE) as ErrorCode[];

export async function setScene(): Promise<Scene> {
  const mail = await startMailServer();
  const local = createLocalProvider(createLog("error", "test"));
  const slow = createScriptedProvider({
    answer: (request) =>
      request.prompt === FAILS
        ? Promise.reject(new ProviderError("provider_failed", "The provider could not make this clip."))
        : new Promise(() => {}),
  });
  const service = await startWholeService({
    provider: slow,
    providers: [local],
    env: { ATELIER_SMTP_URL: mail.url, ATELIER_SUPPORT_EMAIL: "support@example.com" },
    routes: [
      async (app) => {
        app.get<{ Params: { code: ErrorCode } }>("/throws/:code", ({ params }) => {
          throw new AppError(params.code);
        });
      },
    ],
  });
  await service.app.mongo.db.collection("models").deleteMany({ provider: "test" });
  await seedDevelopment(service.app, undefined);
  const customer = await signInAs(service, CUSTOMER);
  // With the credits of a first sign-in.
  await openAccount(service.app, { email: NEWCOMER, name: "Nora", plan: "free" });
  const newcomer = await signInAs(service, NEWCOMER);
  const jobs = await makeJobs(service, customer);
  return {
    service,
    mail,
    newcomer,
    customer,
    ...jobs,
    ...(await placeOrders(service, customer)),
    ticket: await askSupport(service, customer),
    confirmations: await askToSpend(service, customer),
    products: await someProducts(service),
    errorPath: (code) => `/throws/${code}`,
    close: async () => {
      await service.close();
      await local.close?.();
      await mail.close();
    },
  };
}

type Jobs = Pick<Scene, "works" | "failed" | "running" | "workflows">;

async function makeJobs(service: WholeService, who: Browser): Promise<Jobs> {
  const call = callOf(who);
  const models = service.app.mongo.db.collection<{ _id: string }>("models");
  const make = async (model_slug: string, modality: string, prompt: string, params = {}) => {
    const wanted = { model_slug, modality, prompt, params_json: JSON.stringify(params) };
    return (await service.core.jobs.Generate(wanted, call)).job_id;
  };
  const ended = async (job_id: string) => {
    await service.core.jobs.GetJob({ job_id, wait_seconds: WORK_BOUND_S }, call);
    return job_id;
  };
  const run = async (...steps: WantedStep[]) => {
    const sent = steps.map(([id, model_slug, prompt, { after = [], ...params } = {}]) => {
      const modality = modalityOf(model_slug);
      return { id, modality, model_slug, prompt, after: [...after], params_json: JSON.stringify(params) };
    });
    return (await service.core.workflows.RunWorkflow({ steps: sent }, call)).workflow_id;
  };
  const workflowEnded = async (workflow_id: string) => {
    await service.core.workflows.GetWorkflow({ workflow_id, wait_seconds: WORK_BOUND_S }, call);
    return workflow_id;
  };
  // A double makes one that never ends and one that fails; then the model is restored.
  await models.updateOne({ _id: "atelier-motion" }, { $set: { provider: "test" } });
  const failed = await ended(await make("atelier-motion", "video", FAILS));
  const running = await make("atelier-motion", "video", "Waves rolling onto a beach at dusk");
  await waitFor("the clip to run", async () => {
    const { state } = await service.core.jobs.GetJob({ job_id: running, wait_seconds: 0 }, call);
    return state === "running";
  });
  const small = { width: 320, height: 320 };
  const workflows = {
    failed: await workflowEnded(
      await run(
        ["clip", "atelier-motion", FAILS],
        ["voice", "atelier-voice", "Over it.", { after: ["clip"] }],
      ),
    ),
    running: await run(
      ["picture", "atelier-vector", "A red kite over a hill", small],
      ["night", "atelier-restyle", "At night", { image: "step:picture", style: "night" }],
      ["clip", "atelier-motion", "The kite in the wind", { after: ["picture"] }],
      ["voice", "atelier-voice", "It flew until the evening.", { after: ["clip", "picture"] }],
    ),
    done: await workflowEnded(
      await run(
        ["picture", "atelier-vector", "A sailing boat on a lake", small],
        ["poster", "atelier-restyle", "As a poster", { image: "step:picture", style: "poster" }],
        ["voice", "atelier-voice", "A day at the lake.", { after: ["picture"] }],
      ),
    ),
  };
  await waitFor("the workflow's clip to run", async () => {
    const { steps } = await service.core.workflows.GetWorkflow({ workflow_id: workflows.running }, call);
    return steps[1]?.state === "completed" && steps[2]?.state === "running";
  });
  await models.updateOne({ _id: "atelier-motion" }, { $set: { provider: "local" } });
  const [image = "", audio = "", video = ""] = await Promise.all(
    [
      await make("atelier-canvas", "image", "A lighthouse over a calm sea at dawn"),
      await make("atelier-voice", "audio", "Good evening. This file was made for you."),
      await make("atelier-loop", "video", "Two sailing boats on a lake", { duration_seconds: 1 }),
    ].map(ended),
  );
  return { works: { image, audio, video }, failed, running, workflows };
}

/** What follows `after` are params. */
type WantedStep = [
  id: string,
  model: string,
  prompt: string,
  more?: { readonly after?: readonly string[]; readonly [param: string]: unknown },
];

function modalityOf(model: string): string {
  if (model === "atelier-voice") return "audio";
  return model === "atelier-motion" ? "video" : "image";
}

type Orders = Pick<Scene, "orders" | "demoPayment">;

async function placeOrders(service: WholeService, who: Browser): Promise<Orders> {
  const place = async () => {
    const { packs } = await service.core.orders.ListPacks({});
    const pack = packs[0];
    if (!pack) throw new Error("there is no pack to buy");
    const expected_cents = String(pack.price_cents);
    const wanted = { pack: pack.pack, expected_cents, idempotency_key: randomUUID() };
    const order = locationOf(await sendForm(who, "/checkout", wanted)).replace("/checkout/", "");
    const pay = await sendForm(who, `/checkout/${order}/pay`, { expected_cents });
    return { order, payment: locationOf(pay) };
  };
  const press = async (action: string, state: string) => {
    const { order, payment } = await place();
    await sendForm(who, payment, { action, delivery: "once" });
    await waitFor(`an order ${state}`, async () => {
      const found = await service.core.orders.GetOrder({ order_id: order }, callOf(who));
      return found.state === state || found.events.some(({ type }) => type === state);
    });
    return order;
  };
  const paid = await press("pay", "fulfilled");
  const declined = await press("decline", "declined");
  const open = await place();
  return { orders: { paid, declined, open: open.order }, demoPayment: open.payment };
}

const locationOf = ({ headers }: { headers: Headers }): string => headers.get("location") ?? "";

async function askSupport(service: WholeService, who: Browser): Promise<string> {
  const ticket = {
    subject: "A key for my assistant",
    kind: "member_key",
    text: "It runs on my laptop.",
    form_key: "scene",
  };
  const { ticket_id } = await service.core.tickets.OpenTicket(ticket, callOf(who));
  await service.core.admin.ProvisionTicketKey({ ticket_id, name: "assistant" });
  return ticket_id;
}

async function someProducts({ app }: WholeService): Promise<Scene["products"]> {
  const find = async (filter: object): Promise<string> => {
    const found = await app.mongo.db.collection<{ slug: string }>("products").findOne(filter);
    if (!found) throw new Error(`the demonstration catalog has no product ${JSON.stringify(filter)}`);
    return found.slug;
  };
  const now = { status: "published", plus_only: false };
  return {
    sold: await find({ ...now, price_regular_cents: { $gt: 0 }, client_price_cents: { $gt: 0 } }),
    free: await find({ ...now, price_regular_cents: 0 }),
    soon: await find({ status: "coming_soon" }),
  };
}

async function askToSpend(service: WholeService, who: Browser): Promise<Scene["confirmations"]> {
  const newKey = { name: "assistant", scope: "write", confirm_above: 1 };
  const { secret } = await makeKey(service, who, newKey);
  const ask = async (prompt: string) => {
    const body = { modality: "image", model_slug: "atelier-canvas", prompt, params: { count: 4 } };
    const init = { key: secret, method: "POST", body };
    const refused = await service.call<{ confirmation_id: string }>("/api/v1/connect/generate", init);
    return refused.body.confirmation_id;
  };
  // As if the approved job could not be started.
  const answer = async (id: string, state: "yes" | "no") => {
    const approvals = service.app.mongo.db.collection("confirmations");
    await approvals.updateOne({ confirmation_id: id }, { $set: { state } });
    return id;
  };
  return {
    asked: await ask("Four posters for a concert by the sea"),
    yes: await answer(await ask("A poster with a lighthouse"), "yes"),
    no: await answer(await ask("A poster with a whale"), "no"),
  };
}
