import { type LedgerProof } from "./ledger.js";
import type { Balance, Delivery, DeliveryFilter, Estimate, GenerateResult, Job, JobEvent, JobFilter, LedgerEntry, LedgerFilter, Me, Modality, Model, Output, Plan, Product, ProductFilter, Upload, VerifiedFile, Workflow, WorkflowFilter, WorkflowResult } from "./resources.js";
export type AtelierOptions = {
    /** Where the service is, for example https://atelier.example. */
    readonly baseUrl: string;
    /** A generation key, atl_gen_…; the catalog and the plans can be read without one. */
    readonly apiKey?: string | undefined;
    /** For how long a request is repeated while the service cannot be reached or is busy. Default: a minute. */
    readonly retryForMs?: number;
    /** Instead of the global fetch. */
    readonly fetch?: typeof fetch;
};
export type Generation = {
    /** Slug of a model: `await atelier.models()` lists them. */
    readonly model: string;
    readonly prompt: string;
    /** Options of the model, as its params_schema describes them. */
    readonly params?: Readonly<Record<string, unknown>>;
    /** What to make; looked up by the model where it is left out. */
    readonly modality?: Modality;
    /** Your own strings, given back with the job. */
    readonly metadata?: Readonly<Record<string, string>>;
    /** Called with a signed POST when the job ends. */
    readonly callbackUrl?: string;
    /** Refuse the job where it would cost more. */
    readonly maxCredits?: number;
};
/** One of the generations of a workflow. */
export type WorkflowStep = Omit<Generation, "callbackUrl" | "maxCredits"> & {
    /** Its name within the workflow: 1 to 32 of a-z, 0-9, _ and -. A param that takes a file may be `step:` and the name of another step. */
    readonly id: string;
    /** Steps that must have completed before, beside those whose files it uses. */
    readonly after?: readonly string[];
};
export type WorkflowRequest = {
    /** 2 to 20. */
    readonly steps: readonly WorkflowStep[];
    readonly metadata?: Readonly<Record<string, string>>;
    /** Called with a signed POST when the workflow ends. */
    readonly callbackUrl?: string;
    /** Call it when a step ends, too. */
    readonly callbackOnSteps?: boolean;
    /** Refuse the workflow where its steps together would cost more. */
    readonly maxCredits?: number;
};
export type CallOptions = {
    readonly signal?: AbortSignal | undefined;
};
export type GenerateOptions = CallOptions & {
    /** Your own name for this request: asked again with it, there is still one job. Made for each call where it is left out. */
    readonly idempotencyKey?: string;
};
export type WaitOptions = CallOptions & {
    /** How long to wait for the end of the job. Default: 15 minutes. The job goes on when it is over. */
    readonly timeoutMs?: number;
    /** Told of each event of the job, from its first. */
    readonly onEvent?: (event: JobEvent) => void;
};
export type EventsOptions = CallOptions & {
    /** seq of the last event that you know; from the first by default. */
    readonly after?: number;
};
export declare class Atelier {
    #private;
    constructor({ baseUrl, apiKey, retryForMs, fetch }: AtelierOptions);
    /** Makes a job and answers at once. Repeats after a lost connection never make a second one. */
    generate(request: Generation, options?: GenerateOptions): Promise<GenerateResult>;
    /**
     * Makes a job, waits for its end and answers it completed, whatever happens to connections and servers meanwhile. Throws an
     * AtelierJobError where it fails or is cancelled, and an AtelierError `wait_timeout` where it takes too long.
     */
    generateAndWait(request: Generation, options?: GenerateOptions & WaitOptions): Promise<Job>;
    /** Waits for the end of a job; throws as generateAndWait does. */
    wait(jobId: string, { timeoutMs, onEvent, signal }?: WaitOptions): Promise<Job>;
    /** What a generation would cost, and whether it would be accepted. Holds nothing. */
    estimate(request: Generation, { signal }?: CallOptions): Promise<Estimate>;
    /** What happens to a job, as it happens; ends after its last event, however often the connection is lost before. */
    events(jobId: string, { after, signal }?: EventsOptions): AsyncGenerator<JobEvent, void, undefined>;
    job(jobId: string, { signal }?: CallOptions): Promise<Job>;
    /** All jobs, newest first. */
    jobs(filter?: JobFilter, options?: CallOptions): AsyncGenerator<Job, void, undefined>;
    /** Asks for a job to be stopped. One that runs is `cancelling` at first. */
    cancel(jobId: string, { signal }?: CallOptions): Promise<Job>;
    /** Sends several generations that build on each other as one, and answers at once. Repeats never make a second workflow. */
    runWorkflow(request: WorkflowRequest, options?: GenerateOptions): Promise<WorkflowResult>;
    /**
     * Sends a workflow, waits for its end and answers it completed. Throws an AtelierWorkflowError where it fails or is cancelled, and an
     * AtelierError `wait_timeout` where it takes too long.
     */
    runWorkflowAndWait(request: WorkflowRequest, options?: GenerateOptions & Omit<WaitOptions, "onEvent">): Promise<Workflow>;
    /** Waits for the end of a workflow; throws as runWorkflowAndWait does. */
    waitForWorkflow(workflowId: string, { timeoutMs, signal }?: Omit<WaitOptions, "onEvent">): Promise<Workflow>;
    workflow(workflowId: string, { signal }?: CallOptions): Promise<Workflow>;
    /** All workflows, newest first. */
    workflows(filter?: WorkflowFilter, options?: CallOptions): AsyncGenerator<Workflow, void, undefined>;
    /** Asks for a workflow to be stopped: what has not started never does. */
    cancelWorkflow(workflowId: string, { signal }?: CallOptions): Promise<Workflow>;
    /** The bytes of a file that a job has made. */
    download(output: Output, { signal }?: CallOptions): Promise<Uint8Array>;
    /** Sends a file; its upload_id is the value of a param that takes one. */
    upload(file: Blob | Uint8Array<ArrayBuffer>, { signal }?: CallOptions): Promise<Upload>;
    /** Checks the Content Credentials of a file: who signed it, how it was made, and whether it has changed since. Needs no key. */
    verifyFile(file: Blob | Uint8Array<ArrayBuffer>, { signal }?: CallOptions): Promise<VerifiedFile>;
    models(filter?: {
        modality?: Modality;
    }, { signal }?: CallOptions): Promise<Model[]>;
    model(slug: string, { signal }?: CallOptions): Promise<Model>;
    plans({ signal }?: CallOptions): Promise<Plan[]>;
    /** Whose key it is, and what it may do. */
    me({ signal }?: CallOptions): Promise<Me>;
    balance({ signal }?: CallOptions): Promise<Balance>;
    /** Every entry of the ledger, newest first. */
    ledger(filter?: LedgerFilter, options?: CallOptions): AsyncGenerator<LedgerEntry, void, undefined>;
    /** Reads the whole ledger and proves that nothing of it was changed, removed or cut off. */
    verifyLedger(options?: CallOptions): Promise<LedgerProof>;
    /** The callbacks of the account, those of the newest jobs first. */
    deliveries(filter?: DeliveryFilter, options?: CallOptions): AsyncGenerator<Delivery, void, undefined>;
    /** Sends a job's callback once more. */
    redeliver(jobId: string, { signal }?: CallOptions): Promise<Delivery>;
    /** Sends an event `test` to an address at once, and answers what became of it. */
    testCallback(callbackUrl: string, { signal }?: CallOptions): Promise<Delivery>;
    /** The products of the catalog. Needs no key. */
    products(filter?: ProductFilter, { signal }?: CallOptions): AsyncGenerator<Product, void, undefined>;
    product(slug: string, { signal }?: CallOptions): Promise<Product>;
}
