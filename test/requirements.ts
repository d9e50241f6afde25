// What the interface and the contract demand of the service so far, each demand with an id, where it stands and what it is, in our
// own words. Tests cite the ids in their titles; `provenBy` names tests elsewhere that prove a demand under a title of their own.
// test/requirements.test.ts fails on an id that nothing proves and on a cited id that is not here.

export type Requirement = {
  /** Document and section. */
  readonly source: string;
  readonly behaviour: string;
  /** File below test/ and title of a test or a group of tests. */
  readonly provenBy?: readonly (readonly [file: string, title: string])[];
};

export const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  "SUB-01": {
    source: "contract 9, shop: what is sold",
    behaviour:
      "Plans tell what a month of them costs, as operators set it, also where data are older than prices.",
    provenBy: [
      [
        "core/entry/shop-prices.test.ts",
        "plans and tiers have prices, also those of older data, and what an operator has set stays",
      ],
    ],
  },
  "SUB-02": {
    source: "contract 9, shop: library, tickets, memberships",
    behaviour:
      "A plan that was joined is had until the end of the period that is paid, also after it is cancelled, and then lapses.",
    provenBy: [
      [
        "core/shop/subscriptions/subscriptions.test.ts",
        "is had with its credits from the payment on, for as long as it is paid, and the free plan comes back after that",
      ],
    ],
  },
  "SUB-03": {
    source: "contract 9, shop: library, tickets, memberships",
    behaviour:
      "A payment that is missing leaves seven days of grace with mails; upgrades are had at once, downgrades with the next period.",
    provenBy: [
      [
        "core/shop/subscriptions/subscriptions.test.ts",
        "that does not come holds for seven days with mails, and then it is over",
      ],
      [
        "core/shop/subscriptions/subscriptions.test.ts",
        "up is had at once, with the unused time taken off, and pressed twice is one",
      ],
      [
        "core/shop/subscriptions/subscriptions.test.ts",
        "down comes with the next period, and can be dropped before",
      ],
    ],
  },
  "OAI-01": {
    source: "contract 9, website: clients",
    behaviour:
      "Tools that only speak OpenAI's API make pictures and speech at /v1/images/generations and /v1/audio/speech; each request is a job with the same price and ledger as any other.",
  },
  "OAI-02": {
    source: "contract 9, website: clients",
    behaviour:
      "Names of models and voices that such tools have built in mean ours; an operator may say which, and GET /v1/models lists them.",
  },
  "OAI-03": {
    source: "contract 9, website: clients",
    behaviour:
      "What a model cannot do is refused before anything is held, in OpenAI's shape, naming the field and what is possible.",
  },
  "OAI-04": {
    source: "contract 9, website: clients",
    behaviour:
      "An Idempotency-Key makes one job there too; what takes longer than the answer is held goes on and is not asked for twice by a library's own repeats.",
  },
  "CLIENT-01": {
    source: "contract 9, website: clients",
    behaviour:
      "A client's wait survives lost connections, refusals with Retry-After and a restart of the service, and makes one job.",
  },
  "CLIENT-02": {
    source: "contract 9, website: clients",
    behaviour: "A client's stream of events goes on where it was broken off, without gaps and repeats.",
  },
  "CLIENT-03": {
    source: "contract 9, website: clients",
    behaviour:
      "A client tells a genuine callback from a forged, an altered and an old one, also while the secret is rotated.",
  },
  "CLIENT-04": {
    source: "contract 9, website: clients",
    behaviour: "A client names each refusal by its code, goes through all pages, and proves the ledger.",
  },
  "CLIENT-05": {
    source: "contract 9, website: clients",
    behaviour:
      "The clients are installed from their folders without a network, their types are those of the OpenAPI document, and the samples of their READMEs run.",
  },
  "MARK-01": {
    source: "contract 9, studio: marks",
    behaviour:
      "Anybody who has a file's digest is told whether it was made here, when and by which model, while it is kept; nothing of prompt or account.",
  },
  "MARK-02": {
    source: "contract 9, studio: marks",
    behaviour:
      "Files of every provider say in their IPTC metadata that they were generated, by which model and job, where the format has room for it.",
    provenBy: [
      [
        "core/kernel/content-credentials/formats.test.ts",
        "writes IPTC metadata with the slug of the model where the format has room for it",
      ],
      [
        "core/kernel/content-credentials/jobs.test.ts",
        "every output of the embedded provider is stored signed",
      ],
      [
        "core/kernel/content-credentials/jobs.test.ts",
        "an output of a provider with a queue is stored signed, after the job was suspended and resumed",
      ],
      [
        "core/kernel/content-credentials/jobs.test.ts",
        "an output of a provider of the AI SDK is stored signed",
      ],
    ],
  },
  "MARK-03": {
    source: "contract 9, studio: marks",
    behaviour:
      "Software that is not the service reads an output of every format as signed and unchanged, and as neither after any change.",
    provenBy: [
      ["e2e/c2pa-python.test.ts", "reads an output in %s as valid, and as invalid after any change"],
      ["core/kernel/content-credentials/verdicts.test.ts", "hold in %s, and not after any change"],
    ],
  },
  "MARK-04": {
    source: "contract 9, studio: marks",
    behaviour:
      "Anyone who sends a file is told whether its Content Credentials hold, who signed it, and whether the ledger agrees; nothing of prompt or account.",
    provenBy: [
      [
        "e2e/verify-file.test.ts",
        "is told who signed it, from which job, and that the ledger has the same entry",
      ],
    ],
  },
  "MARK-05": {
    source: "contract 9, studio: marks",
    behaviour:
      "A thousand broken files with credentials end no process, take bounded memory, and each get a known answer.",
    provenBy: [
      [
        "core/kernel/content-credentials/fuzz.test.ts",
        "answers each of ${FILES} broken files with credentials",
      ],
    ],
  },
  "DRAW-01": {
    source: "contract 9, studio: the local provider",
    behaviour:
      "At least nine of ten everyday prompts show their main noun, by what the painter says it understood.",
    provenBy: [
      [
        "core/adapters/providers/everyday.test.ts",
        "at least 180 of 200 everyday prompts show their main noun",
      ],
    ],
  },
  "GEN-01": {
    source: "interface 2, 4.3; contract 4",
    behaviour:
      "Generate answers 202 with Location, ok true and the six fields of a job whose state is reserved.",
  },
  "GEN-02": { source: "contract 4", behaviour: "modality, model_slug and prompt are required." },
  "GEN-03": { source: "contract 4", behaviour: "An unknown field of the body is refused." },
  "GEN-04": { source: "contract 4", behaviour: "params are checked against the JSON Schema of the model." },
  "GEN-05": {
    source: "interface 1, contract 4",
    behaviour:
      "A request through REST, a tool or the app costs and records the same; only the source differs.",
  },
  "GEN-06": {
    source: "contract 8",
    behaviour: "A prompt has 1 to 4000 characters, counted as people count them.",
  },
  "GEN-07": { source: "contract 8", behaviour: "A callback_url has at most 2048 characters." },
  "GEN-08": {
    source: "contract 4",
    behaviour: "The price is the model's credits times its units: generation, image or second.",
  },
  "GEN-09": {
    source: "interface 1, 4.3",
    behaviour: "One operation makes images, videos and audio; the modality is a field.",
  },
  "GEN-10": { source: "contract 4", behaviour: "metadata holds at most 20 pairs of strings." },
  "GEN-11": { source: "contract 4", behaviour: "metadata come back with the job as they were sent." },
  "GEN-12": { source: "contract 4", behaviour: "An Idempotency-Key has 1 to 255 characters." },
  "GEN-13": {
    source: "contract 4",
    behaviour: "An Idempotency-Key used again with another body is refused.",
  },
  "GEN-14": {
    source: "contract 4",
    behaviour: "Requests at the same moment under one Idempotency-Key make one job.",
  },
  "GEN-15": {
    source: "contract 4",
    behaviour: "An answer that was lost on its way never costs a second job.",
  },
  "GEN-16": {
    source: "contract 4",
    behaviour:
      "The same key with the same body answers the first result again, says so in a header, and writes nothing.",
  },
  "GEN-17": {
    source: "contract 4",
    behaviour:
      "Accepting is one transaction: idempotency, key, plan, hold, ledger entry, job and first event.",
    provenBy: [
      [
        "core/studio/jobs/accept.test.ts",
        "holds the price and writes job, first event and ledger entry together",
      ],
    ],
  },
  "INP-01": {
    source: "contract 9, studio: inputs",
    behaviour:
      "An upload is told by its content, and what is kept of it says nothing of who made it, where and with what.",
    provenBy: [
      [
        "core/studio/uploads/clean.test.ts",
        "in %s is turned upright, and loses what it says of who took it where",
      ],
      ["core/studio/uploads/clean.test.ts", "sound and films"],
    ],
  },
  "INP-02": {
    source: "contract 9, studio: inputs",
    behaviour:
      "A param takes an upload, an output of one's own job or an address; what one may not see does not exist.",
    provenBy: [
      ["core/studio/uploads/inputs.test.ts", "a job's inputs"],
      ["e2e/uploads.test.ts", "is one account's: nobody else finds it, uses it or deletes it"],
    ],
  },
  "INP-03": {
    source: "contract 9, studio: inputs",
    behaviour:
      "Bad files and bad addresses are refused in plain words, before credits are held, and nothing of them is kept.",
    provenBy: [
      ["core/studio/uploads/inputs.test.ts", "an address that a job names"],
      ["e2e/uploads.test.ts", "is refused in plain words where it cannot be used, and nothing of it is kept"],
    ],
  },
  "INP-04": {
    source: "contract 9, studio: inputs",
    behaviour:
      "Where files are kept in an object store they can be sent there directly, and are looked at before they are used.",
    provenBy: [["core/studio/uploads/direct.test.ts", "a file that is sent to the object store"]],
  },
  "INP-05": {
    source: "contract 9, studio: inputs",
    behaviour: "An assistant sends a file to an address that a tool gives, and no tool call carries one.",
    provenBy: [
      [
        "e2e/uploads.test.ts",
        "is given by the tool create_upload, and connect_generate takes what was sent there",
      ],
    ],
  },
  "INP-06": {
    source: "contract 9, studio: inputs",
    behaviour: "No broken file ends the process or takes memory without end.",
    provenBy: [["core/studio/uploads/fuzz.test.ts", "broken files"]],
  },
  "SEED-01": {
    source: "contract 9, studio: the same prompt again is another work",
    behaviour:
      "A model that takes a seed gets one with each job: drawn by the service where none was given, another one each time.",
  },
  "SEED-02": {
    source: "contract 9, studio: the same prompt again is another work",
    behaviour: "Tries and rescues of a job repeat its seed.",
  },
  "SEED-03": {
    source: "contract 9, studio: the same prompt again is another work",
    behaviour:
      "An Idempotency-Key answers the first job with its seed; stored digests are of what was asked, without what was drawn.",
  },
  "SEED-04": {
    source: "contract 9, studio: the same prompt again is another work",
    behaviour: "The words of an idempotency mismatch never tell the seed that was drawn.",
  },
  "SEED-05": {
    source: "contract 9, studio: the same prompt again is another work",
    behaviour:
      "The website shows a job's seed; generating again makes another file, the same seed makes the same one.",
  },
  "EST-01": {
    source: "contract 9, studio: estimate",
    behaviour:
      "An estimate takes generate's body and answers price, units, seconds and credits on every surface; it holds and writes nothing.",
  },
  "EST-02": {
    source: "contract 9, studio: estimate",
    behaviour: "An estimate says whether the credits available cover it.",
  },
  "EST-03": {
    source: "contract 9, studio: estimate",
    behaviour: "An estimate knows the spending limit of the key that asks.",
  },
  "EST-04": {
    source: "contract 9, studio: estimate",
    behaviour: "What generate would refuse for good an estimate refuses in the same words.",
  },
  "ME-01": {
    source: "contract 9, studio: who calls",
    behaviour:
      "GET /api/me tells account, plan, key with scope, expiry and spending limit, available credits, and what waits and runs.",
  },
  "ME-02": {
    source: "contract 9, studio: who calls",
    behaviour: "GET /api/me works with a read key and tells the rates that apply.",
  },
  "ME-03": {
    source: "contract 9, studio: who calls",
    behaviour:
      "The tool get_credits tells the spending limit of its key and what it leaves, where it has one; a refusal by it tells what was asked and what is left.",
  },
  "PREF-01": {
    source: "contract 9, studio: Prefer: wait",
    behaviour:
      "Prefer: wait=N on generate answers 200 with the whole job where that has ended within N seconds, 1 to 60.",
  },
  "PREF-02": {
    source: "contract 9, studio: Prefer: wait",
    behaviour: "Where the time is over the answer is 202 with the job as far as it is.",
  },
  "PREF-03": {
    source: "contract 9, studio: Prefer: wait",
    behaviour:
      "Without the preference, or with one that is not understood, the answer is the promised one, at once.",
  },
  "PREF-04": {
    source: "contract 9, studio: Prefer: wait",
    behaviour: "An Idempotency-Key that is sent again waits for the job that it made.",
  },
  "PREF-05": {
    source: "contract 9, studio: Prefer: wait",
    behaviour:
      "Waits of generate take the places of all waits; where none is free the job is made all the same and the answer not held.",
  },
  "PREF-06": {
    source: "contract 9, studio: Prefer: wait",
    behaviour: "A client that goes away while generate's answer is held harms nothing.",
  },
  "JOB-40": {
    source: "contract 9, studio: job filters",
    behaviour:
      "Jobs are picked by several states, model, time and pairs of metadata, by the same names on REST, gRPC, as a tool and on the website.",
  },
  "JOB-41": {
    source: "contract 9, studio: job filters",
    behaviour: "A page of jobs that are rare may be short, and its cursor says where reading stopped.",
  },
  "JOB-42": {
    source: "contract 9, studio: job filters",
    behaviour: "However many jobs an account has, one page reads a bounded number of them, by an index.",
  },
  "DLV-01": {
    source: "contract 9, studio: deliveries and test event",
    behaviour:
      "GET /api/callbacks lists all deliveries of the account with their attempts, by cursor, status and job.",
  },
  "DLV-02": {
    source: "contract 9, studio: deliveries and test event",
    behaviour:
      "A test event is sent at once, signed like every callback; the answer says what the receiver said, and the log keeps it.",
  },
  "DLV-03": {
    source: "contract 9, studio: deliveries and test event",
    behaviour:
      "A test event goes to allowed addresses alone, is bounded in number, is never repeated, and moves nothing.",
  },

  "MOD-01": {
    source: "interface 4.5, contract 4",
    behaviour: "The model catalog lists live models with price, unit, limits and params schema.",
  },
  "MOD-02": {
    source: "contract 4, 8",
    behaviour: "Models are filtered by modality; a model's own prompt limit holds.",
  },
  "MOD-03": {
    source: "contract 4",
    behaviour:
      "A paused model accepts nothing and says so; its waiting jobs wait, running ones go on; who pauses and resumes is recorded.",
  },
  "GATE-01": {
    source: "contract 4",
    behaviour: "A provider's limits of calls under way and of calls a minute hold over all workers together.",
  },
  "GATE-02": {
    source: "contract 4",
    behaviour: "A provider without limits, pauses and failures costs a job nothing more.",
  },
  "GATE-03": {
    source: "contract 4",
    behaviour:
      "What fails for one worker is called by none, tried again by a few calls after pauses that grow, and each change is counted.",
  },
  "GATE-04": {
    source: "contract 4",
    behaviour:
      "A model's fallbacks are asked in their order where the one before fails, never after a refusal of content; debited once, told in the events.",
  },
  "GATE-05": {
    source: "contract 4",
    behaviour:
      "Jobs of a provider that fails wait without a lease until it works again or their time is over, and are refunded then.",
  },
  "GATE-06": {
    source: "contract 4",
    behaviour:
      "Jobs that find no place at their provider wait, the longest waiting first, and their time to run stands still.",
  },
  "GATE-07": {
    source: "contract 4",
    behaviour: "A paused provider pauses the models that have no other one.",
  },
  "GATE-08": {
    source: "contract 4",
    behaviour: "Operators see and limit providers, pause and resume them, and each change is recorded.",
  },
  "PLAN-01": {
    source: "interface 5, contract 4",
    behaviour: "Four public plans run 1, 2, 5 and 20 jobs at a time; two include the API.",
  },
  "PLAN-02": {
    source: "interface 8, contract 4",
    behaviour: "Beyond the plan's concurrency jobs wait as reserved, the oldest of an account first.",
  },
  "PLAN-03": {
    source: "contract 4",
    behaviour: "Accounts are served in turn.",
    provenBy: [
      ["core/studio/jobs/worker.test.ts", "is shared in turn between accounts, the oldest job of each first"],
    ],
  },
  "PLAN-04": {
    source: "contract 4",
    behaviour: "The cap holds over any number of workers, and a crash leaks no slot.",
    provenBy: [
      ["core/studio/jobs/worker.test.ts", "never exceeds the plan, over any number of workers"],
      ["faults/worker-lost.test.ts", "every job ends, no credits move twice"],
    ],
  },

  "JOB-01": {
    source: "interface 4.4, contract 4",
    behaviour: "A job is read by its owner with events, outputs, error and callback.",
  },
  "JOB-02": {
    source: "contract 4",
    behaviour: "Events are numbered from 1 without gaps and name the ledger entry of money events.",
  },
  "JOB-03": { source: "contract 4", behaviour: "A job goes from reserved over running to completed." },
  "JOB-04": {
    source: "contract 4",
    behaviour: "wait of 1 to 60 seconds holds the answer until the job ends.",
  },
  "JOB-05": {
    source: "contract 4",
    behaviour: "A job has an ETag and is answered with 304 while it is the same.",
  },
  "JOB-06": {
    source: "contract 4",
    behaviour: "Events stream as Server-Sent Events and resume after Last-Event-ID.",
  },
  "JOB-07": { source: "contract 4", behaviour: "Jobs are listed by cursor, state and modality." },
  "JOB-08": { source: "contract 4", behaviour: "A reserved job can be cancelled; its hold is released." },
  "JOB-09": {
    source: "interface 1, 3; contract 4",
    behaviour: "A job that fails gives its credits back in full.",
  },
  "CLOCK-01": {
    source: "contract 9",
    behaviour:
      "Leases and deadlines use the database's time: processes whose clocks are wrong share the work.",
  },
  "CLOCK-02": {
    source: "contract 9",
    behaviour: "/readyz is 200 only while the process's own clock is within 2 s of the database's.",
  },
  "CLOCK-03": {
    source: "contract 9",
    behaviour: "The times in a ledger and in a job's history never go back, whichever process wrote them.",
  },
  "CLOCK-04": {
    source: "contract 9",
    behaviour: "A gateway judges a sale's edge by core's time, not by its own clock.",
  },
  "JOB-10": { source: "contract 4", behaviour: "A reserved job tells its place in the queue." },
  "JOB-11": {
    source: "interface 1, contract 4",
    behaviour: "The provider is called only after the debit is committed.",
  },
  "JOB-12": {
    source: "contract 4",
    behaviour:
      "When a worker dies its jobs are taken over: called again where that is safe, else failed as outcome_unknown and refunded.",
  },
  "JOB-26": {
    source: "contract 9, studio: calls that can be taken up again",
    behaviour:
      "Workers killed at any step of a call at a provider's queue: no call is made twice, no finished render that is known of is lost, every job is completed or refunded.",
  },
  "JOB-27": {
    source: "contract 9, studio: calls that can be taken up again",
    behaviour:
      "A provider's webhook wakes its call and nothing else; one that is not signed by us and by the provider is answered alike, whatever is wrong with it.",
    provenBy: [
      [
        "core/studio/jobs/webhooks.test.ts",
        "that nobody of ours or theirs has signed is answered alike, whatever is wrong with it, and asks nothing",
      ],
    ],
  },
  "JOB-28": {
    source: "contract 9, studio: calls that can be taken up again",
    behaviour: "Providers that queue requests are connected by the settings that the operators' page has.",
    provenBy: [
      [
        "core/adapters/providers/http-queue.test.ts",
        "a request waits, runs and gives its pictures, through addresses that it names itself",
      ],
      ["core/adapters/providers/http-queue.test.ts", "a prediction starts, runs and gives its output"],
    ],
  },
  "JOB-13": {
    source: "contract 4",
    behaviour: "A paused worker cannot settle a job that another has taken.",
  },
  "JOB-14": {
    source: "contract 4",
    behaviour:
      "A job that waits 24 hours fails with queue_timeout, one that runs too long with provider_timeout.",
    provenBy: [
      ["core/studio/jobs/worker.test.ts", "fails with queue_timeout and its hold released"],
      [
        "core/studio/jobs/worker.test.ts",
        "to answer before the model's deadline is stopped, even when it does not heed its signal",
      ],
    ],
  },
  "JOB-15": {
    source: "contract 4",
    behaviour: "After a lost worker the provider is asked first what became of the call, where it can tell.",
    provenBy: [
      ["core/studio/jobs/worker.test.ts", "has its job looked up first where the provider can tell"],
    ],
  },
  "JOB-16": {
    source: "contract 4, 9",
    behaviour:
      "A provider that asks for a wait gets all of it; one that asks for more than the job's deadline leaves ends the job at once.",
    provenBy: [
      [
        "core/studio/jobs/worker.test.ts",
        "that asks for a wait gets all of it, however long, and no call before it is over",
      ],
      [
        "core/studio/jobs/worker.test.ts",
        "that asks for a wait beyond the deadline ends the job at once, with what it said",
      ],
    ],
  },
  "JOB-17": {
    source: "contract 9",
    behaviour:
      "Answers of providers are bounded for each kind of job, and large ones share room in their worker: what finds none waits.",
  },
  "JOB-18": {
    source: "contract 9",
    behaviour: "What providers answer in base64 is held as bytes as soon as it has been read.",
  },
  "JOB-30": {
    source: "contract 9",
    behaviour:
      "A running job is cancelled where its provider can stop: cancelling, then cancelled, refunded in full, and told by one callback.",
  },
  "JOB-31": {
    source: "contract 9",
    behaviour:
      "The worker of a job that is to be cancelled hears of it from any process, and while it drains.",
  },
  "JOB-32": { source: "contract 9", behaviour: "Cancelling again changes nothing and is answered alike." },
  "JOB-33": {
    source: "contract 2, 9",
    behaviour:
      "A running job whose provider cannot stop is job_not_cancellable, with why and what one can do.",
  },
  "JOB-34": {
    source: "contract 9",
    behaviour:
      "A worker that is lost while its job is cancelling leaves a job that ends once, with its credits exact.",
  },
  "JOB-36": {
    source: "contract 9",
    behaviour:
      "Cancelling and completing at the same moment: one outcome, one callback, and the credits that fit it.",
  },
  "JOB-35": {
    source: "contract 9",
    behaviour:
      "The provider of a job that waits there is asked to stop; until it has, or the deadline is over, the job is cancelling.",
  },

  "JOB-37": {
    source: "contract 9",
    behaviour:
      "Hundreds of cancels at once, several of each job and many of one account, are all answered, none with a server error.",
  },
  "JOB-38": {
    source: "contract 7",
    behaviour:
      "While the database commits ten times a second, generate requests at a steady rate are all accepted.",
  },

  "PARK-01": {
    source: "contract 9",
    behaviour:
      "Where a provider gives a handle, whoever takes the job up asks for what became of the call and makes no second one.",
    provenBy: [
      [
        "core/studio/jobs/calls.test.ts",
        "while it fetched the files leaves them to the next, which asks and does not call",
      ],
      ["faults/calls-killed.test.ts", "a worker that is killed at any step of a call"],
    ],
  },
  "PARK-02": {
    source: "contract 9",
    behaviour:
      "Workers that die at any step make no call twice, where repeating is not safe, and lose nothing that was made.",
  },
  "PARK-03": {
    source: "contract 9",
    behaviour: "A job that waits at its provider has no lease and takes no place of a worker.",
    provenBy: [
      [
        "core/studio/jobs/calls.test.ts",
        "parks its job without a lease, keeps the slot, and ends it as always once it is made",
      ],
    ],
  },

  "OUT-60": {
    source: "contract 9, studio: marks",
    behaviour:
      "Every output of every provider is stored with signed Content Credentials that name job, ledger entry, model and source type, and never the prompt or the account.",
    provenBy: [
      [
        "core/kernel/content-credentials/jobs.test.ts",
        "every output of the embedded provider is stored signed",
      ],
      [
        "core/kernel/content-credentials/jobs.test.ts",
        "an output of a provider with a queue is stored signed, after the job was suspended and resumed",
      ],
      [
        "core/kernel/content-credentials/jobs.test.ts",
        "an output of a provider of the AI SDK is stored signed",
      ],
      [
        "core/kernel/content-credentials/formats.test.ts",
        "makes a valid manifest of the trusted development authority in every format",
      ],
      ["core/kernel/content-credentials/formats.test.ts", "are ingredients that keep their own manifests"],
    ],
  },
  "OUT-61": {
    source: "contract 9, studio: marks",
    behaviour:
      "An output that cannot be signed is stored all the same, told as failed and counted; the threads that sign are bounded and replaced when they fail.",
    provenBy: [
      [
        "core/kernel/content-credentials/jobs.test.ts",
        "an output that cannot be signed is stored all the same, told as failed and counted",
      ],
      [
        "core/kernel/content-credentials/engine.test.ts",
        "refuse more files than may wait, and serve those that wait",
      ],
      [
        "core/kernel/content-credentials/engine.test.ts",
        "are replaced when they crash: only the file in hand is given back",
      ],
    ],
  },
  "OUT-62": {
    source: "contract 9, studio: marks",
    behaviour:
      "Production workers sign with a configured certificate that rotates with overlap, or say at every start that signing is off.",
    provenBy: [
      [
        "core/kernel/content-credentials/engine.test.ts",
        "are asked for by workers in production, in a line that says what to set",
      ],
      [
        "core/kernel/content-credentials/engine.test.ts",
        "overlap: the one that became valid last signs, and the one before until then",
      ],
      [
        "core/kernel/content-credentials/engine.test.ts",
        "are not asked for where signing is off, and every start in production says so",
      ],
    ],
  },

  "OUT-01": {
    source: "contract 4",
    behaviour: "Outputs tell address, type, size, hash and form, and are fetched with the key.",
  },
  "OUT-02": {
    source: "contract 4",
    behaviour: "A signed URL opens its output without a key, until it expires, and nothing else.",
  },
  "OUT-03": { source: "contract 4", behaviour: "Outputs are served in byte ranges." },
  "OUT-04": { source: "contract 4", behaviour: "Outputs are kept for 30 days; expires_at says until when." },
  "OUT-05": {
    source: "contract 4",
    behaviour: "What has expired is removed; job, events and ledger stay.",
    provenBy: [
      ["core/kernel/outputs/outputs.test.ts", "removes what has expired, settled or not, and nothing else"],
    ],
  },
  "OUT-06": {
    source: "contract 4",
    behaviour:
      "By configuration outputs are kept in S3-compatible storage, and served under the same signed URLs.",
  },
  "OUT-07": {
    source: "contract 4",
    behaviour: "A store that takes no file fails the job with a full refund; a lost object is a plain error.",
  },
  "OUT-08": {
    source: "contract 9, studio: what the local provider makes",
    behaviour:
      "Pictures and videos have thumbnails at most 320 and 640 wide, made when their job ends, told with it and kept like its files.",
    provenBy: [
      ["core/kernel/outputs/thumbnails.test.ts", "thumbnails of a picture"],
      ["core/kernel/outputs/thumbnails.test.ts", "has those of its poster, and none without one"],
    ],
  },
  "OUT-09": {
    source: "contract 9, studio: inputs",
    behaviour:
      "A picture that is brought or was made is worked from by the embedded models, by REST, by tools and on the Generate page, with scripts and without.",
    provenBy: [
      [
        "e2e/inputs.test.ts",
        "a picture that is uploaded becomes another one, and that one a clip, each with thumbnails",
      ],
      ["e2e/inputs.test.ts", "a tool gives the address for a file, and connect_generate works from it"],
      ["site/inputs.test.ts", "is sent as soon as it is chosen, shown, and worked from"],
      ["site/inputs.test.ts", "the form carries the file"],
    ],
  },

  "LED-01": {
    source: "interface 4.6, contract 4",
    behaviour: "The ledger lists every entry with all its fields, newest first.",
  },
  "LED-02": {
    source: "contract 4",
    behaviour: "Each kind of entry moves balance and hold as the table says.",
  },
  "LED-03": {
    source: "contract 4",
    behaviour: "Entries have no gaps and are chained by hashes that their owner can verify.",
  },
  "LED-04": { source: "contract 4", behaviour: "The balance tells credits owned, held and available." },
  "LED-05": { source: "contract 4", behaviour: "source names the surface that a request came in on." },
  "LED-06": { source: "contract 4", behaviour: "The ledger is read by limit, cursor, kind, job and time." },
  "LED-07": { source: "interface 1, 4.6", behaviour: "Refunds are entries of the ledger." },
  "LED-08": {
    source: "contract 4",
    behaviour: "Available credits are never below 0, however many requests come at once.",
  },
  "LED-09": {
    source: "contract 4",
    behaviour: "The audit recounts every account and ends with a failure that names the first offender.",
    provenBy: [["cli/operator.test.ts", "ends with 1 and names the first offender when something is wrong"]],
  },
  "LED-10": {
    source: "contract 4",
    behaviour: "A job has at most one debit and at most one release or refund, whatever happens.",
  },
  "LED-11": {
    source: "contract 9, shop: credits in time",
    behaviour:
      "Grants that expire are spent first, do not expire while they are held, and get back what was taken of them; entries say which.",
    provenBy: [
      [
        "core/studio/jobs/grants.test.ts",
        "a job takes what expires first, says so in its ledger, and gives it back where it came from",
      ],
      [
        "core/studio/jobs/grants.test.ts",
        "what is held outlives its grant, and comes back for 30 days when the job is cancelled",
      ],
      [
        "core/identity/credits/grant-histories.test.ts",
        "10,000 random histories end as a model of single credits says: sums fit, nothing is spent twice, nothing expires early",
      ],
    ],
  },
  "LED-12": {
    source: "contract 9, shop: credits in time",
    behaviour:
      "A new account has its plan's monthly credits at once; every account gets them again each period, never twice for one.",
    provenBy: [
      [
        "core/identity/credits/sweep.test.ts",
        "an account that is opened has its plan's credits, in the transaction that makes it",
      ],
      [
        "core/identity/credits/sweep.test.ts",
        "gives each account each period once, however many sweep at a time and whatever their clocks say",
      ],
    ],
  },
  "LED-13": {
    source: "contract 9, shop: credits in time",
    behaviour:
      "A request and a key's month have limits that refuse with 402 and the numbers, before anything is held.",
    provenBy: [
      ["core/studio/jobs/spending-limits.test.ts", "refuses what costs more, before anything is held"],
      ["core/studio/jobs/spending-limits.test.ts", "holds to the credit, in one batch and in many at once"],
      [
        "core/studio/jobs/spending-limits.test.ts",
        "gets back what a job that is cancelled or fails had taken, once",
      ],
    ],
  },
  "LED-14": {
    source: "contract 9, shop: credits in time",
    behaviour:
      "The audit finds a period given twice, credits that expired while held, and grants that do not add up.",
    provenBy: [["core/operations/audit/grants.test.ts", "%s is told"]],
  },
  "LED-15": {
    source: "contract 9, shop: credits in time",
    behaviour:
      "A person is told by mail when credits fall below a threshold of their own, once until they have risen.",
    provenBy: [
      [
        "core/identity/credits/low.test.ts",
        "a mail is queued with the job by which credits become few, and none with the next",
      ],
    ],
  },

  "PRV-01": {
    source: "contract 4",
    behaviour:
      "A provider that fails, hangs or answers garbage fails the job with a plain reason and a full refund.",
  },
  "PRV-02": {
    source: "contract 4",
    behaviour: "A provider's retryable error is tried again up to 3 times without another debit.",
  },
  "PRV-03": {
    source: "contract 4",
    behaviour: "The embedded provider makes real PNG, WAV and MP4 files without a network.",
    provenBy: [
      ["core/adapters/providers/local.test.ts", "have the size that was asked for and are no flat colour"],
      ["core/adapters/providers/local.test.ts", "is a WAV of 16 bits and 22.05 kHz that is not silent"],
      [
        "core/adapters/providers/local.test.ts",
        "are MP4 with a picture track of the size and length that was asked for",
      ],
    ],
  },
  "PRV-04": {
    source: "contract 4",
    behaviour: "Any image, speech or video model of the AI SDK works by configuration.",
    provenBy: [
      [
        "core/adapters/providers/ai-sdk.test.ts",
        "makes pictures with their true type and size, and passes on what was asked",
      ],
      ["core/adapters/providers/ai-sdk.test.ts", "makes speech with its duration"],
      [
        "core/adapters/providers/ai-sdk.test.ts",
        "makes clips with their size and duration, from any package of the SDK",
      ],
    ],
  },

  "CALL-01": {
    source: "contract 2, 4",
    behaviour: "A callback_url that leads inside or is not https is refused.",
  },
  "CALL-02": {
    source: "contract 5",
    behaviour: "No loopback, private, link-local, metadata or mapped address is called in production.",
  },
  "CALL-03": { source: "contract 4", behaviour: "http is refused unless private targets are allowed." },
  "CALL-04": {
    source: "interface 6, contract 5",
    behaviour: "job.completed is sent with POST, its headers, and an HMAC-SHA256 of the raw body.",
  },
  "CALL-05": { source: "contract 5", behaviour: "job.failed and job.cancelled are sent too." },
  "CALL-06": {
    source: "contract 5",
    behaviour: "The delivery log can be read and a delivery be made again, under the same id.",
  },
  "CALL-07": { source: "contract 5", behaviour: "Callbacks carry the headers of Standard Webhooks." },
  "CALL-08": {
    source: "interface 6, contract 5",
    behaviour: "A callback never blocks a job, and a dead receiver slows nobody else.",
  },
  "CALL-09": {
    source: "contract 5",
    behaviour: "The address is checked when it is dialled, so that a changed name or setting gains nothing.",
    provenBy: [
      [
        "core/base/outbound/dial.test.ts",
        "connects to the very address that it checked, whatever the name means a moment later",
      ],
    ],
  },
  "CALL-10": {
    source: "contract 5",
    behaviour:
      "Attempts follow the schedule with jitter; 2xx delivers, 410 stops, Retry-After is honoured, redirects are not followed.",
    provenBy: [
      [
        "core/studio/webhooks/rules.test.ts",
        "waits 5 s, 30 s, 2 min, 10 min, 1 h and 6 h after failures, then gives up",
      ],
      ["core/studio/webhooks/deliver.test.ts", "stops at 410"],
      ["core/studio/webhooks/deliver.test.ts", "does not follow a redirect"],
    ],
  },
  "CALL-11": {
    source: "contract 5",
    behaviour: "A secret is shown once and rotated in two steps, during which no receiver refuses a message.",
    provenBy: [
      [
        "core/studio/webhooks/deliver.test.ts",
        "refuses no receiver: both signatures from the first step, the plain one changes with the second",
      ],
      [
        "core/identity/accounts/rpc.test.ts",
        "rotates the callback secret in two steps, the second by itself after a day",
      ],
    ],
  },

  "AUTH-01": {
    source: "interface 5, contract 2",
    behaviour: "Every operation of the generation API needs a key.",
    provenBy: [["e2e/declared-answers.test.ts", "as declared,"]],
  },
  "AUTH-02": {
    source: "contract 2",
    behaviour: "Unknown, malformed, revoked, expired and foreign kinds of keys all look the same.",
  },
  "AUTH-03": {
    source: "interface 5, contract 2",
    behaviour: "A read key writes nothing and does not open the tool endpoint.",
  },
  "AUTH-04": { source: "interface 5, contract 6", behaviour: "The plan is checked on every request." },
  "AUTH-05": {
    source: "contract 2",
    behaviour: "A suspended account is refused as such.",
    provenBy: [["e2e/declared-answers.test.ts", "as declared,"]],
  },
  "AUTH-06": { source: "contract 6", behaviour: "A revocation bites on the next request." },
  "AUTH-07": { source: "contract 6", behaviour: "An account has at most 20 live keys." },
  "AUTH-08": {
    source: "interface 5, contract 6",
    behaviour: "A key has a prefix and a checksum, is shown once, stored as SHA-256 and masked afterwards.",
  },
  "AUTH-09": { source: "contract 6", behaviour: "The write scope includes reading." },
  "AUTH-10": {
    source: "contract 6",
    behaviour: "The last use of a key is kept to the minute.",
    provenBy: [["core/identity/accounts/key-usage.test.ts", "is kept to the minute"]],
  },
  "AUTH-11": {
    source: "interface 5",
    behaviour: "A key is never taken from the address.",
    provenBy: [["gateway/errors.test.ts", "is not read from the address"]],
  },
  "AUTH-12": {
    source: "contract 6",
    behaviour:
      "Services call core with signed tokens that name what they may call; a revoked name is refused.",
    provenBy: [
      [
        "cli/operator.test.ts",
        "let another service call what they name and nothing else, until the name is revoked",
      ],
      ["core/kernel/services/revoked-names.test.ts", "is refused within a second by every core"],
    ],
  },

  "ERR-01": {
    source: "contract 2",
    behaviour: "A body that is not JSON is invalid_json.",
    provenBy: [["e2e/declared-answers.test.ts", "as declared,"]],
  },
  "ERR-02": {
    source: "contract 2",
    behaviour: "A wrong field or query parameter is invalid_request, with issues that name it.",
  },
  "ERR-03": { source: "contract 2", behaviour: "Unknown query names are ignored." },
  "ERR-04": {
    source: "contract 2",
    behaviour: "insufficient_credits tells what is required and what is available.",
  },
  "ERR-05": {
    source: "contract 2",
    behaviour: "application/problem+json gets RFC 9457 with the same values.",
  },
  "ERR-06": {
    source: "contract 2",
    behaviour: "No error shows a stack trace, a driver's message or a host name.",
  },
  "ERR-07": {
    source: "interface 2, contract 2",
    behaviour: "Every refusal is a whole ApiError with the status of its code.",
  },
  "ERR-10": { source: "contract 2", behaviour: "An unknown path is not_found." },
  "ERR-11": { source: "contract 2", behaviour: "An unknown job and another account's look the same." },
  "ERR-12": {
    source: "contract 2",
    behaviour: "A method that a path does not answer is method_not_allowed, with Allow.",
  },
  "ERR-13": {
    source: "contract 2",
    behaviour: "A body over 64 KiB is body_too_large.",
    provenBy: [["e2e/declared-answers.test.ts", "as declared,"]],
  },
  "ERR-14": {
    source: "contract 2",
    behaviour: "Anything but application/json is unsupported_media_type.",
    provenBy: [["e2e/declared-answers.test.ts", "as declared,"]],
  },
  "ERR-15": { source: "contract 2, 9", behaviour: "A job that has ended is job_not_cancellable." },
  "ERR-16": { source: "contract 2", behaviour: "An unknown or retired model is model_not_available." },
  "ERR-17": { source: "contract 2", behaviour: "A model of another modality is modality_mismatch." },
  "ERR-18": {
    source: "contract 4",
    behaviour: "More than 50 waiting jobs for each slot are queue_full.",
    provenBy: [
      ["core/studio/jobs/rules.test.ts", "refuseAccept"],
      ["e2e/declared-answers.test.ts", "as declared,"],
    ],
  },
  "ERR-19": {
    source: "interface 8, contract 2",
    behaviour: "rate_limited carries Retry-After of at least 1 and the RateLimit fields.",
  },
  "ERR-20": {
    source: "contract 2",
    behaviour: "A database that crashes under load costs nobody more than a repeat.",
  },
  "LIM-20": {
    source: "contract 9",
    behaviour:
      "Event streams and waits that are open at a time are bounded for a job, an account, an address and a process; one more is rate_limited with Retry-After.",
  },
  "LIM-21": {
    source: "contract 9",
    behaviour: "However many watch a job, each of its changes is read once in each core.",
  },
  "LIM-22": {
    source: "contract 9",
    behaviour: "Files of an account that are read at a time are bounded; one more is rate_limited.",
  },
  "LIM-23": {
    source: "contract 9",
    behaviour: "A reader who stalls holds little of a file and is cut off after 30 seconds without progress.",
  },
  "LIM-24": {
    source: "contract 9",
    behaviour: "Reads of the website are limited for each signed-in account.",
  },
  "SEC-20": {
    source: "contract 9",
    behaviour:
      "Files that a provider gives as an address, and redirects, lead to public addresses only, except to its own and to hosts that its configuration names.",
  },
  "OPS-20": {
    source: "contract 2",
    behaviour:
      "Every answer of 5xx, and every answer that breaks off through our fault, has its cause and its request id in one log line; a probe's only when what is missing has changed.",
  },
  "OPS-21": {
    source: "contract 2",
    behaviour:
      "While the embedded database is away the catalog is answered from memory, with the prices of the moment.",
  },
  "OPS-22": {
    source: "contract 9",
    behaviour:
      "With little room on its disk the service says so, takes no new jobs, does all else, and recovers by itself.",
  },
  "ERR-21": {
    source: "contract 2",
    behaviour: "service_unavailable, with Retry-After, when core is away.",
    provenBy: [["e2e/declared-answers.test.ts", "as declared,"]],
  },
  "ERR-22": {
    source: "contract 2",
    behaviour: "service_unavailable, with Retry-After, when the database is away.",
  },
  "ERR-23": {
    source: "contract 2",
    behaviour: "deadline_exceeded, with Retry-After, when an answer takes too long.",
    provenBy: [["e2e/declared-answers.test.ts", "as declared,"]],
  },
  "ERR-24": { source: "contract 2", behaviour: "Every answer carries the id of its request." },

  "LIM-01": { source: "contract 8", behaviour: "The default limits are those of the contract." },
  "LIM-02": {
    source: "contract 8",
    behaviour: "Generating, other calls and bad keys are limited each for themselves, by configuration.",
  },
  "LIM-03": { source: "contract 8", behaviour: "Several processes count the limits together in Redis." },
  "LIM-04": {
    source: "contract 8",
    behaviour:
      "A Redis that is away or hangs costs no request its answer; each process counts by itself meanwhile.",
  },
  "SITE-23": {
    source: "contract 9, website: pictures where people look",
    behaviour:
      "The list of jobs shows pictures, and those that end while it is looked at; what was chosen stays so.",
  },
  "SITE-24": {
    source: "contract 9, website: pictures where people look",
    behaviour: "The list of jobs is a gallery or a table, as the person chose last in this browser.",
  },
  "SITE-25": {
    source: "contract 9, website: pictures where people look",
    behaviour:
      "Files of several jobs come as one ZIP that is made as it is read, each named after its prompt.",
  },
  "SITE-26": {
    source: "contract 9, website: pictures where people look",
    behaviour: "Files of several jobs are deleted by two presses, also without scripts.",
  },
  "SITE-20": {
    source: "contract 9, website: credits",
    behaviour:
      "The ledger's page has one row a job, with its prompt, that opens to its entries; links land on the row.",
  },
  "SITE-21": {
    source: "contract 9, website: credits",
    behaviour: "The page about credits is short on a phone.",
  },
  "SITE-22": {
    source: "contract 9, website: credits",
    behaviour:
      "The browser remembers when it verified a ledger and up to which entry, and notices when that one is gone.",
  },
  "OUT-50": {
    source: "contract 9, website: pictures where people look",
    behaviour:
      "The owner of a job deletes its files, all or some: bytes and thumbnails go and nobody reads them; the job, its facts and its entries stay and say so. Asking again changes nothing.",
  },
  "OUT-51": {
    source: "contract 9, website: pictures where people look",
    behaviour:
      "That a deleted file was made here stays known by its digest for as long as it would have been kept.",
  },
  "OUT-52": {
    source: "contract 9, website: pictures where people look",
    behaviour:
      "A file that a job which waits or runs was given is kept for that job when its owner deletes it.",
  },
  "JOB-43": {
    source: "contract 9, website: pictures where people look",
    behaviour: "Jobs are read many at a time by their ids, those of another account never.",
  },
  "JOB-44": {
    source: "contract 9, website: pictures where people look",
    behaviour:
      "Jobs are searched by words of their prompts; a page that looked only so far back says how far.",
  },
  "OUT-40": {
    source: "contract 4",
    behaviour: "An address of a file that has expired or was altered says so, and how to get another.",
  },
  "LIM-40": {
    source: "contract 9",
    behaviour:
      "Bad keys are counted before core is asked; missing and malformed ones and those of pages are not, and a good key gets in whatever others send.",
  },
  "LIM-41": {
    source: "contract 8",
    behaviour: "Refused sign-ins and forms are counted like every other refusal.",
  },
  "LIM-42": {
    source: "contract 9",
    behaviour: "Connections to the public port are bounded; more are closed as they come.",
  },
  "KEY-40": {
    source: "contract 9",
    behaviour:
      "A key is taken from Authorization (Bearer or Token) and from x-api-key; two different ones are refused.",
  },
  "ERR-40": {
    source: "contract 2",
    behaviour:
      "A request that names no host or more than one, or no path, or an unknown expectation, is refused with an ApiError.",
  },
  "ERR-41": {
    source: "contract 2",
    behaviour: "A path whose parts do not fit says which thing was not found.",
  },
  "ERR-42": {
    source: "contract 2",
    behaviour: "An operation that needs no body does not ask for the media type of one.",
  },
  "ERR-44": {
    source: "contract 9",
    behaviour: "null for an optional field of a request counts as left out.",
  },
  "ERR-45": {
    source: "contract 2",
    behaviour:
      "Each operation gives every answer that the OpenAPI document declares for it, and a body that fits its schema.",
  },
  "CAT-40": {
    source: "interface 2",
    behaviour: "A product that is not for sale yet, or has no price, shows none that it does not have.",
  },
  "CAT-41": { source: "contract 9", behaviour: "A search with no letter or digit matches nothing." },
  "CAT-42": {
    source: "contract 9",
    behaviour: "A sale's beginning and end are changes that the feed tells.",
  },
  "CAT-43": {
    source: "contract 9",
    behaviour: "Lines of the feed carry an epoch; another one means to start anew, as after a restoration.",
  },
  "VER-40": {
    source: "interface 9",
    behaviour:
      "In the OpenAPI document every envelope, list and error has a name, codes are open, and unions have a discriminator.",
  },
  "VER-41": { source: "contract 5", behaviour: "The OpenAPI document describes the callback as a webhook." },
  "VER-42": {
    source: "contract 2",
    behaviour: "Bounds of numbers in the OpenAPI document are those that hold.",
  },
  "DOC-40": { source: "contract 3", behaviour: "Documents are compressed for clients that take that." },
  "DOC-41": { source: "contract 1", behaviour: "The site has /robots.txt and /favicon.ico." },
  "DOC-42": {
    source: "contract 1",
    behaviour: "The site has /.well-known/security.txt, with contact and expiry.",
  },
  "ORI-40": {
    source: "contract 1",
    behaviour: "In development 127.0.0.1 and localhost are both at home, in links, forms and for the tools.",
  },
  "ERR-43": {
    source: "contract 2",
    behaviour: "Weights in Accept decide between JSON, RFC 9457 and a page.",
  },
  "VER-01": {
    source: "interface 9, contract 3",
    behaviour: "An OpenAPI 3.1.1 document of version 1.0.0 covers the API under /api/v1 and beside it.",
  },

  "MBS-01": {
    source: "interface 5, contract 6",
    behaviour: "Key and membership of a member are checked with every request; a lapse bites on the next.",
  },
  "MBS-02": {
    source: "contract 6",
    behaviour: "A member key that is revoked is refused on the next request, at every instance.",
  },
  "MBS-03": {
    source: "interface 5, 7; contract 2",
    behaviour:
      "Unknown, revoked and expired member keys and keys of every other kind look the same to the member tools.",
  },
  "MBS-04": {
    source: "interface 5",
    behaviour: "A lapsed membership takes no licence of a purchased product away.",
  },
  "MBS-05": {
    source: "interface 7, contract 2",
    behaviour:
      "An account without an active membership that includes the member tools is membership_inactive.",
  },
  "MBS-06": {
    source: "interface 5, contract 6",
    behaviour: "Member keys are made and revoked by support only; nothing reachable over HTTP can.",
  },
  "MBS-07": {
    source: "contract 4, 7",
    behaviour: "A member generates when the plan includes the API, and reads jobs and credits in any case.",
  },
  "MBS-08": {
    source: "interface 2, contract 6",
    behaviour: "A plus_only product is sold only to members whose tier includes such products.",
  },

  "MCP-01": {
    source: "contract 7",
    behaviour:
      "Tools are named verb_noun, in a fixed order, with title, annotations and schemas, under 4,000 tokens.",
  },
  "MCP-02": {
    source: "contract 7",
    behaviour: "A plain HTTP client needs no Accept, session or initialize, and gets JSON.",
  },
  "MCP-03": { source: "contract 7", behaviour: "Older clients of three protocol versions are served." },
  "MCP-04": {
    source: "contract 7",
    behaviour: "Current clients of 2026-07-28 are served without a session.",
  },
  "MCP-05": {
    source: "contract 7",
    behaviour: "A notification is 202, GET and DELETE are 405, a batch is 400.",
  },
  "MCP-06": {
    source: "contract 7",
    behaviour: "A waiting connect_generate sends progress to clients that ask for it.",
    provenBy: [
      ["mcp/tools.test.ts", "comes as events when the client takes them, growing, before the result"],
    ],
  },
  "MCP-07": { source: "contract 7", behaviour: "An Origin, when there is one, must be allowed." },
  "MCP-08": {
    source: "interface 4.7, contract 7",
    behaviour:
      "connect_generate is the same operation; a success has text and structured content, and files as addresses.",
  },
  "MCP-09": {
    source: "contract 7",
    behaviour: "A tool's failure is a result in words with the numbers, the code and the request id.",
  },
  "MCP-10": {
    source: "contract 7",
    behaviour: "401 has a plain challenge, and there is nothing that starts OAuth.",
  },
  "MCP-11": {
    source: "interface 5, contract 7",
    behaviour: "The tool endpoint needs a key with the write scope.",
  },
  "MCP-12": {
    source: "contract 7",
    behaviour: "The tools that read say what REST and gRPC say, field by field.",
  },
  "MCP-13": {
    source: "contract 7",
    behaviour: "An HTTP refusal is a JSON-RPC error whose data are the ApiError.",
  },
  "MCP-14": { source: "contract 7", behaviour: "The checks of a request come in one order." },
  "MCP-15": {
    source: "contract 7",
    behaviour: "The protocol's error codes are used as it defines them, and ours are positive.",
  },
  "MCP-16": {
    source: "contract 7",
    behaviour:
      "Output schemas allow unknown fields, and every answer has the fields of its own and no others.",
  },
  "MCP-17": {
    source: "contract 7",
    behaviour:
      "A client that declares the extension for tasks may get one; it is the job, and only its owner's.",
    provenBy: [
      ["mcp/tasks.test.ts", "gives a task to a client that declares the extension, with the job's id"],
      ["mcp/tasks.test.ts", "asks core for the caller's own job each time, and knows nothing of any other"],
    ],
  },
  "MCP-18": {
    source: "contract 7",
    behaviour:
      "The protocol's conformance suite finds nothing wrong but what is expected by name and reason.",
    provenBy: [["mcp/conformance/conformance.test.ts", "finds in %s no failure but the expected ones"]],
  },

  "MEM-01": {
    source: "contract 7",
    behaviour:
      "The member endpoint lists ten tools to every member, and connect_generate only while the plan includes the API.",
  },
  "MEM-02": {
    source: "interface 4.8, contract 7",
    behaviour: "Older and current clients and plain HTTP are served at the member endpoint as well.",
  },
  "MEM-03": {
    source: "interface 1, contract 7",
    behaviour: "No tool buys: the person is given a page to confirm on.",
  },
  "MEM-04": {
    source: "contract 7",
    behaviour: "The catalog tools say what REST and gRPC say, field by field; hidden products do not exist.",
  },
  "MEM-05": {
    source: "contract 4, 7",
    behaviour:
      "Jobs, credits and ledger are the account's own, the same on every surface, with source member where a member caused them.",
  },
  "MEM-06": {
    source: "interface 5, 7",
    behaviour: "Whatever is not a live member key is a plain 401, and a member key opens nothing else.",
  },
  "MEM-07": {
    source: "interface 5, 7; contract 6",
    behaviour: "Without an active eligible membership every message is 403, although the key is good.",
  },
  "MEM-08": { source: "contract 7, 8", behaviour: "The checks come in one order, with a rate for each key." },
  "MEM-09": {
    source: "contract 7",
    behaviour: "GET and DELETE are 405, a notification 202, a batch 400, a foreign origin 403.",
  },
  "MEM-10": {
    source: "contract 2, 7",
    behaviour: "Faults below a tool or its checks leak nothing.",
    provenBy: [["mcp/every-tool.test.ts", "answers nothing internal, and logs each fault once"]],
  },
  "MEM-11": {
    source: "interface 5, contract 6",
    behaviour:
      "A membership that lapses or a key that is revoked stops the next call of an open connection, at every instance.",
  },
  "MEM-12": {
    source: "interface 5",
    behaviour: "Licences outlive the membership; a renewed one opens the endpoint again with the same key.",
  },

  "SIGN-01": {
    source: "contract 6",
    behaviour: "A mailed link signs in once, within 15 minutes; following it uses nothing up.",
    provenBy: [
      ["core/identity/sessions/sessions.test.ts", "opens one session, and the same link a second time none"],
      ["site/sign-in.test.ts", "is not used up by programs that follow it before the person does"],
    ],
  },
  "SIGN-02": {
    source: "contract 6",
    behaviour: "The session cookie is HttpOnly, SameSite=Lax, and over https Secure.",
    provenBy: [["site/sign-in.test.ts", "over https is Secure and bound to the host"]],
  },
  "SIGN-03": {
    source: "contract 6",
    behaviour: "What a session changes comes from a page of this site, with the token of this session.",
    provenBy: [["site/account-api.test.ts", "a page of another site"]],
  },
  "SIGN-04": {
    source: "contract 6",
    behaviour: "A session that is ended is refused on its next request, at every instance.",
    provenBy: [["site/account-api.test.ts", "ends one session, at every gateway at once"]],
  },
  "SIGN-05": {
    source: "contract 6",
    behaviour: "Sessions issued elsewhere are verified against a published key set.",
    provenBy: [["site/issued-elsewhere.test.ts", "a good one signs in, as a cookie or as a bearer token"]],
  },
  "SIGN-06": {
    source: "contract 9",
    behaviour:
      "Links are mailed three times in a quarter of an hour and ten times a day for each address, and twenty times an hour for each network; beyond that the answer is the same.",
    provenBy: [
      ["site/sign-in.test.ts", "for somebody else's address cannot keep that person out"],
      [
        "core/identity/sessions/sessions.test.ts",
        "are three in a quarter of an hour and ten in a day for one address",
      ],
      ["core/identity/sessions/sessions.test.ts", "are twenty an hour for one network"],
    ],
  },
  "SIGN-08": {
    source: "contract 9",
    behaviour:
      "A session ends by idleness, by an operator's command and by a suspension; a key asks for a fresh one.",
    provenBy: [
      ["core/identity/sessions/sessions.test.ts", "that nobody uses ends after 14 days"],
      ["cli/operator.test.ts", "signs an account out everywhere"],
      ["site/sign-in.test.ts", "is signed out at once, gets no new session"],
      ["e2e/generation.test.ts", "a suspended account's signed addresses do not open, at once"],
      ["site/account-pages.test.ts", "lead whoever makes a key in a session of yesterday to sign in"],
    ],
  },
  "SIGN-09": {
    source: "contract 9",
    behaviour: "What matters to security is logged, and every change of an operator names who and why.",
    provenBy: [
      ["site/sign-in.test.ts", "is told in the log of what matters to security"],
      ["core/operations/admin/audit-trail.test.ts", "and who asks are demanded by every write"],
    ],
  },
  "DATA-01": {
    source: "contract 9",
    behaviour: "A person takes everything along that the account holds, as JSON, without secrets.",
    provenBy: [["site/data-pages.test.ts", "has everything that the account holds, and no secret"]],
  },
  "DATA-02": {
    source: "contract 9",
    behaviour:
      "A person deletes the account: what it held about them goes, the ledger stays pseudonymous and the audit clean.",
    provenBy: [
      ["site/data-pages.test.ts", "leaves a clean ledger and nothing that says whose it was"],
      ["site/data-pages.test.ts", "is done on a page, by typing one's address"],
    ],
  },
  "SIGN-07": {
    source: "interface 5",
    behaviour: "A person makes a key in the account settings, sees it once, and ends it there.",
    provenBy: [
      [
        "site/account-pages.test.ts",
        "a person signs in, makes a key, uses it over HTTP, revokes it, and it is refused",
      ],
    ],
  },

  "SITE-01": {
    source: "contract 1, 3",
    behaviour:
      "The pages about the catalog are for everyone: WCAG 2.2 AA, light and dark, from 360 pixels on.",
  },
  "SITE-02": { source: "contract 1, 3", behaviour: "The catalog can be browsed without scripts." },
  "SITE-03": {
    source: "interface 1, 2; contract 3",
    behaviour:
      "A product's page says what it costs and whether it can be bought, to people and as JSON-LD; what is not public is a plain 404.",
  },
  "SITE-04": { source: "contract 3", behaviour: "What products and searches say is text on every page." },
  "SITE-05": {
    source: "contract 3",
    behaviour: "Pages about the catalog are as fresh as the API: ETag, 304, and a change within a second.",
  },
  "SITE-06": {
    source: "interface 5; contract 7",
    behaviour: "A key that is tried on the website is kept in the memory of its page alone.",
  },
  "SITE-07": {
    source: "interface 1, 5; contract 1, 4",
    behaviour:
      "A person generates on the website, on any plan, and the ledger says the same as for a program's request, with source app.",
    provenBy: [
      [
        "site/generate.test.ts",
        "makes $kind, sees it arrive without loading the page again, and pays as on every other surface",
      ],
    ],
  },
  "SITE-08": {
    source: "contract 4",
    behaviour: "A form that is sent twice makes one job.",
    provenBy: [["site/generate.test.ts", "sent twice makes one job"]],
  },
  "SITE-09": {
    source: "contract 2",
    behaviour: "On the website, too, another person's job is answered like one that does not exist.",
    provenBy: [["site/jobs.test.ts", "looks in every route exactly like one that does not exist"]],
  },
  "SITE-10": {
    source: "contract 4",
    behaviour:
      "An account's owner can prove in the browser that no entry of the ledger was changed or removed.",
    provenBy: [
      ["site/credits.test.ts", "proves that everything is there"],
      ["site/credits.test.ts", "names an entry that was changed, and why it does not hold"],
    ],
  },
  "SITE-11": {
    source: "contract 2",
    behaviour: "What belongs to another person is a plain 404 in every route that there is.",
  },
  "SITE-40": {
    source: "contract 9",
    behaviour:
      "The header shows who is signed in, on every page and on pages of errors, what they have and the way to it.",
  },
  "SITE-41": {
    source: "contract 9",
    behaviour: "The footer leads to texts that an operator replaces in one folder.",
  },
  "SITE-42": {
    source: "contract 9",
    behaviour: "A page says what works now, also when core does not answer.",
  },
  "SITE-43": {
    source: "contract 9",
    behaviour:
      "Errors on pages speak of what the person did and can do next, and never of endpoints, fields or status codes.",
  },
  "SITE-44": { source: "contract 9", behaviour: "The account menu closes on Escape and outside." },
  "SITE-45": {
    source: "contract 9",
    behaviour: "Back after a search or another order stays on the site and restores what was there.",
  },
  "SITE-46": {
    source: "contract 9",
    behaviour: "Where colours are the system's own, it shows where one is and what is chosen.",
  },
  "SHOP-21": {
    source: "interface 5",
    behaviour: "A product's files are read by who holds a live licence, which is asked for on each request.",
    provenBy: [
      [
        "core/shop/library/library.test.ts",
        "for who has no licence, a licence of something else, or one that was revoked",
      ],
      ["core/shop/library/library.test.ts", "any more in the middle of a download whose licence is revoked"],
      ["site/library.test.ts", "that is not theirs answers to the byte as one that does not exist"],
    ],
  },
  "SHOP-22": {
    source: "interface 5",
    behaviour: "Licences and their files outlive a lapsed membership.",
    provenBy: [
      ["core/shop/library/library.test.ts", "stays for who was a member when the membership has lapsed"],
    ],
  },
  "SHOP-23": {
    source: "interface 5",
    behaviour: "A ticket belongs to its account: to anybody else it does not exist.",
    provenBy: [
      [
        "core/operations/tickets/tickets.test.ts",
        "of another account looks as if it did not exist, whatever is asked of it",
      ],
      ["site/support.test.ts", "answers as one that does not exist, to the byte"],
    ],
  },
  "SHOP-24": {
    source: "interface 5",
    behaviour: "A member key is asked for by ticket, made by support alone, and seen by its owner once.",
    provenBy: [
      [
        "core/operations/tickets/tickets.test.ts",
        "is seen by its owner once, opens the member tools, and lies nowhere as it is",
      ],
      ["site/support.test.ts", "is asked for, given and seen once on the ticket, and opens the member tools"],
    ],
  },
  "SHOP-25": {
    source: "contract 9",
    behaviour: "Nobody writes on a closed ticket: ticket_closed.",
    provenBy: [["site/support.test.ts", "on a closed ticket, or one too many, says so on its page"]],
  },
  "SHOP-26": {
    source: "contract 9, shop: all of it",
    behaviour:
      "A person comes by a mailed link, takes what is free, buys a licence, credits and a plan, uses and leaves them, and asks for a member key; a mail tells of each.",
    provenBy: [["site/shop-life.test.ts", "a new person"]],
  },
  "SHOP-01": {
    source: "contract 9, shop: order",
    behaviour:
      "An order goes through its states in one table; each state with each step is told, and nothing else can happen.",
    provenBy: [["core/shop/orders/rules.test.ts", "every state with every step"]],
  },
  "SHOP-02": {
    source: "contract 9, shop: order",
    behaviour:
      "Events may come twice, late, the wrong way round or never: what is paid is had or given back, once, also when core is killed in between.",
    provenBy: [
      ["core/shop/orders/any-order-of-news.test.ts", "in any order of news"],
      [
        "faults/shop-killed.test.ts",
        "every paid order is fulfilled or given back, once, and the audit is clean",
      ],
    ],
  },
  "SHOP-03": {
    source: "contract 9, shop: order",
    behaviour:
      "A price that changed before paying is asked about again; a form pressed twice is one order; forged ones are refused.",
    provenBy: [["site/shop.test.ts", "forms"]],
  },
  "SHOP-04": {
    source: "contract 9, shop: payment providers",
    behaviour:
      "Events of payments: a bad signature is 400, what is unknown is 200, and the browser that comes back is believed nothing.",
    provenBy: [
      ["site/shop.test.ts", "POST /webhooks/payments/{provider}"],
      ["site/shop.test.ts", "the return page"],
    ],
  },
  "SHOP-05": {
    source: "contract 9, shop: payment providers",
    behaviour:
      "Where no payments are taken free things are had all the same, and pages, structured data and tools say that the rest cannot be bought here.",
    provenBy: [
      ["site/shop.test.ts", "an installation that takes no payments"],
      [
        "mcp/member/tools.test.ts",
        "of what costs money says so where nobody takes payments, and of what is free does not",
      ],
    ],
  },
  "SHOP-06": {
    source: "contract 9, shop: order",
    behaviour:
      "A refund ends what was bought and is refused a second time; a dispute lets it rest until it is decided.",
    provenBy: [
      ["core/shop/orders/orders.test.ts", "a refund"],
      ["core/shop/orders/orders.test.ts", "a dispute"],
    ],
  },
  "SHOP-07": {
    source: "contract 9, shop: library, tickets, memberships",
    behaviour: "The audit finds each wrong between orders, payments, licences, entries and receipts.",
    provenBy: [["core/operations/audit/orders.test.ts", "a licence without an order"]],
  },
  "SHOP-08": {
    source: "contract 9, shop: order",
    behaviour: "Every mail goes through the outbox: one for each cause, at least once, with retries.",
    provenBy: [["core/kernel/mail/mail.test.ts", "sending"]],
  },
  "SHOP-27": {
    source: "contract 9, shop: order",
    behaviour:
      "An order has at most one open payment, however many presses, price changes and killed processes there are; a second payment that comes all the same is refunded.",
    provenBy: [
      [
        "core/shop/orders/one-open-payment.test.ts",
        "fifty presses at the same time open one checkout, and all lead to it",
      ],
      [
        "core/shop/orders/one-open-payment.test.ts",
        "at a new price the earlier checkout is closed before the new one is made",
      ],
      [
        "core/shop/orders/one-open-payment.test.ts",
        "a process that dies at any step leaves at most one checkout, which the order closes or finds again",
      ],
      [
        "core/shop/orders/one-open-payment.test.ts",
        "a second payment that comes all the same goes back by itself, and the order says so",
      ],
      [
        "faults/order-races.test.ts",
        "with %s each order was paid at most once or was refunded, and the audit is clean",
      ],
    ],
  },
  "SHOP-28": {
    source: "contract 9, shop: order",
    behaviour:
      "A client licence covers the standard one: its holder is refused it with already_owned before paying, and a payment for it is refunded.",
    provenBy: [["core/shop/orders/same-item.test.ts", "the holder of a client licence"]],
  },
  "SHOP-29": {
    source: "contract 9, shop: order",
    behaviour:
      "An open order is used again for the same item, and every form that it answered gets the same order when it is sent again.",
    provenBy: [
      ["core/shop/orders/same-item.test.ts", "is used again by forms that are sent at the same time"],
      [
        "core/shop/orders/same-item.test.ts",
        "is remembered by every form that it answered, also once it is paid",
      ],
    ],
  },
  "SHOP-30": {
    source: "contract 9, shop: payment providers",
    behaviour:
      "Events of payment providers have a rate limit of their own, and are refused with the seconds to wait.",
    provenBy: [
      [
        "gateway/limits.test.ts",
        "events of payment providers have a limit of their own, and are refused with the seconds to wait",
      ],
    ],
  },
  "SHOP-31": {
    source: "contract 9, shop: order",
    behaviour: "An order that costs nothing tells of no payment, on its page and in its mails.",
    provenBy: [
      [
        "site/order-page.test.ts",
        "an order that costs nothing tells of no payment, also after it was taken back",
      ],
      [
        "core/shop/orders/orders.test.ts",
        "of what was free only takes the licence, and its mail tells of no payment",
      ],
    ],
  },
  "SHOP-32": {
    source: "contract 9, shop: order",
    behaviour:
      "A refusal of the shop names the field that is wrong, and asks a customer for nothing that only an operator can do.",
    provenBy: [
      ["core/shop/orders/refusals.test.ts", "an invalid request names its field in the message"],
      [
        "core/shop/orders/refusals.test.ts",
        "a refusal asks a customer for nothing that only an operator can do",
      ],
    ],
  },
  "RPC-01": {
    source: "contract 1",
    behaviour:
      "Reflection describes every gRPC service and message, health too, in a form that strict tools can read.",
  },
  "RPC-02": {
    source: "contract 6",
    behaviour: "Reflection needs a service token; the health service needs none.",
  },
  "RPC-03": {
    source: "contract 9",
    behaviour: "What REST refuses, core refuses over gRPC with the same code and issues; nothing is charged.",
  },
  "RPC-04": {
    source: "contract 6",
    behaviour:
      "Each of our services signs with a key of its own, which core lets claim that service's rights alone, for minutes; acting for an account without its key is a right of its own.",
  },
  "RPC-05": {
    source: "contract 2, 6",
    behaviour: "A refused service token is answered with google.rpc details: the reason and what to do.",
  },
  "RPC-06": {
    source: "contract 1",
    behaviour:
      "gRPC speaks TLS by configuration, mutual where core has an authority for its clients; production refuses it in the clear beyond loopback.",
  },
  "RPC-07": {
    source: "contract 1",
    behaviour:
      "Operators look into accounts, keys, jobs and ledgers from the command line, and what is listed can be given back.",
  },
  "FLOW-01": {
    source: "contract 9",
    behaviour:
      "Several generations that build on each other are one request: one price, one Idempotency-Key, a job for each step.",
  },
  "FLOW-02": {
    source: "contract 9",
    behaviour: "A workflow is read with a wait and an ETag, listed and cancelled over REST.",
  },
  "FLOW-03": {
    source: "contract 9",
    behaviour:
      "Assistants run a workflow by one tool, and follow and stop it with the tools of jobs; refusals are words.",
  },
  "FLOW-04": {
    source: "contract 9",
    behaviour: "A client that takes tasks has one for a whole workflow, whose result is that of all steps.",
  },
  "FLOW-05": {
    source: "contract 9",
    behaviour:
      "A workflow is drawn on the website as it runs, for everyone, and called off there; somebody else's does not exist.",
  },
  "FLOW-06": {
    source: "contract 9, website: clients",
    behaviour:
      "Both clients run a workflow and wait for it through lost connections, say where one failed, and tell genuine callbacks of workflows.",
  },
  "MCP-19": {
    source: "contract 7, 9",
    behaviour:
      "Tool schemas say integer where a number is one, and can be made strict: null for an optional argument means left out.",
  },
  "FEED-01": {
    source: "contract 3, 9",
    behaviour:
      "Shopping agents are told just what anybody can buy at this moment, at its price, in the forms of Google and ACP; people buy it on the website.",
    provenBy: [
      [
        "e2e/feeds.test.ts",
        "has exactly what anybody can buy, at the price of the moment, and fits our reading of its schema",
      ],
      [
        "e2e/feeds.test.ts",
        "has what is for sale for money, as XML and as text alike, and fits our reading of its specification",
      ],
    ],
  },
  "FEED-02": {
    source: "contract 9",
    behaviour: "A feed of any size is read as far as its reader takes it, and is never held whole.",
    provenBy: [
      [
        "core/shop/catalog/offers.test.ts",
        "is read as far as it is taken: a batch holds a handful, and nothing is read ahead of who listens",
      ],
      [
        "gateway/feeds.test.ts",
        "a reader who takes nothing makes core tell no more than a handful, of a feed of any size",
      ],
    ],
  },
  "FEED-03": {
    source: "contract 9, shop: payment providers",
    behaviour: "Where no payments are taken, feeds have what is free and nothing else.",
  },
  "MCP-20": {
    source: "contract 9",
    behaviour: "Every HTTP refusal of a tool endpoint carries ApiError as data, in the current era too.",
  },
  "MCP-31": {
    source: "contract 7",
    behaviour:
      "The tool endpoints have models, docs and products as resources, and prompts where there is generation, with completion, in every era.",
    provenBy: [
      ["mcp/reading.test.ts", "declares what it has, and nothing else"],
      ["mcp/reading.test.ts", "answers what is not there by the protocol's own codes, in both eras"],
    ],
  },
  "MCP-27": {
    source: "contract 7, 9",
    behaviour: "A tool's failure carries the error that REST answers to the same request, beside its text.",
  },
  "MCP-29": {
    source: "contract 7, 9",
    behaviour:
      "With nothing but the tools an agent finds, makes within a budget, is refused, asks its person and runs a workflow while workers are killed.",
  },
  "MCP-28": {
    source: "contract 7",
    behaviour:
      "Every refusal of every tool says in at most 60 words what happened and the one next call, by names of that endpoint alone.",
  },
  "CNF-01": {
    source: "contract 9, agents: a budget",
    behaviour:
      "Above the amount of its key a request holds nothing until the signed-in person has said yes to exactly what it asks for, and its price.",
  },
  "CNF-02": {
    source: "contract 9, agents: a budget",
    behaviour:
      "A yes lets one request through: that request, by that key, at that price, within 15 minutes; another one, a replay or a second at once asks again.",
  },
  "CNF-03": {
    source: "contract 9, agents: a budget",
    behaviour:
      "Clients of 2026-07-28 with forms ask their person in the chat; all others are refused with the address of the page.",
  },
  "CNF-04": {
    source: "contract 9, agents: a budget",
    behaviour: "A key that does not ask costs no read and no write more.",
  },
};
