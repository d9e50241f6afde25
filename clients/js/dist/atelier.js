// The client: a method for each operation of the API, and one that does everything and waits.
import { Connection } from "./connection.js";
import { AtelierError, AtelierJobError, AtelierWorkflowError } from "./errors.js";
import { hasEnded, watchEvents } from "./events.js";
import { checkLedger } from "./ledger.js";
const RETRY_FOR_MS = 60_000;
const WAIT_TIMEOUT_MS = 15 * 60_000;
/** The longest for which the service holds an answer, and how much longer it may then be silent. */
const HOLD_SECONDS = 60;
const HOLD_GRACE_MS = 15_000;
const UPLOAD_SILENCE_MS = 15 * 60_000;
export class Atelier {
    #connection;
    #modalities = new Map();
    constructor({ baseUrl, apiKey, retryForMs = RETRY_FOR_MS, fetch = globalThis.fetch }) {
        this.#connection = new Connection({
            baseUrl,
            apiKey,
            retryForMs,
            // Called on its own, as browsers want it.
            fetch: (input, init) => fetch(input, init),
        });
    }
    /** Makes a job and answers at once. Repeats after a lost connection never make a second one. */
    async generate(request, options = {}) {
        return this.#generate(request, options);
    }
    /**
     * Makes a job, waits for its end and answers it completed, whatever happens to connections and servers meanwhile. Throws an
     * AtelierJobError where it fails or is cancelled, and an AtelierError `wait_timeout` where it takes too long.
     */
    async generateAndWait(request, options = {}) {
        const { timeoutMs = WAIT_TIMEOUT_MS, onEvent, signal } = options;
        const endAt = performance.now() + timeoutMs;
        // With events to tell, the answer is not held: they come by a stream of their own.
        const holdSeconds = onEvent ? 0 : secondsUntil(endAt);
        const made = await this.#generate(request, options, holdSeconds);
        if ("events" in made && hasEnded(made.state))
            return completed(made);
        const rest = { timeoutMs: Math.max(0, endAt - performance.now()), ...(onEvent && { onEvent }) };
        return this.wait(made.job_id, { ...rest, signal });
    }
    /** Waits for the end of a job; throws as generateAndWait does. */
    async wait(jobId, { timeoutMs = WAIT_TIMEOUT_MS, onEvent, signal } = {}) {
        const endAt = performance.now() + timeoutMs;
        if (onEvent)
            await this.#tellEvents(jobId, { onEvent, signal, timeoutMs });
        const rest = { timeoutMs: endAt - performance.now(), signal };
        const job = await this.#hold(jobPath(jobId), rest);
        if (!job)
            throw tookTooLong("job", { jobId });
        return completed(job);
    }
    /** What a generation would cost, and whether it would be accepted. Holds nothing. */
    async estimate(request, { signal } = {}) {
        const json = await this.#toBody(request, signal);
        return this.#connection.result("/api/v1/connect/estimate", { method: "POST", json, signal });
    }
    /** What happens to a job, as it happens; ends after its last event, however often the connection is lost before. */
    events(jobId, { after = 0, signal } = {}) {
        return watchEvents(this.#connection, { jobId, after, signal });
    }
    async job(jobId, { signal } = {}) {
        return this.#read(jobPath(jobId), { signal });
    }
    /** All jobs, newest first. */
    jobs(filter = {}, options = {}) {
        return this.#pages("/api/jobs", filter, options);
    }
    /** Asks for a job to be stopped. One that runs is `cancelling` at first. */
    async cancel(jobId, { signal } = {}) {
        return this.#connection.result(`${jobPath(jobId)}/cancel`, { method: "POST", signal });
    }
    /** Sends several generations that build on each other as one, and answers at once. Repeats never make a second workflow. */
    async runWorkflow(request, options = {}) {
        const { idempotencyKey = crypto.randomUUID(), signal } = options;
        const { steps, callbackUrl, callbackOnSteps, maxCredits, metadata } = request;
        const json = {
            steps: await Promise.all(steps.map((step) => this.#toBody(step, signal))),
            metadata,
            callback_url: callbackUrl,
            callback_on_steps: callbackOnSteps,
            max_credits: maxCredits,
        };
        const headers = { "idempotency-key": idempotencyKey };
        return this.#connection.result("/api/v1/connect/workflows", { method: "POST", json, headers, signal });
    }
    /**
     * Sends a workflow, waits for its end and answers it completed. Throws an AtelierWorkflowError where it fails or is cancelled, and an
     * AtelierError `wait_timeout` where it takes too long.
     */
    async runWorkflowAndWait(request, options = {}) {
        const { timeoutMs = WAIT_TIMEOUT_MS, signal } = options;
        const endAt = performance.now() + timeoutMs;
        const { workflow_id } = await this.runWorkflow(request, options);
        return this.waitForWorkflow(workflow_id, { timeoutMs: Math.max(0, endAt - performance.now()), signal });
    }
    /** Waits for the end of a workflow; throws as runWorkflowAndWait does. */
    async waitForWorkflow(workflowId, { timeoutMs = WAIT_TIMEOUT_MS, signal } = {}) {
        const workflow = await this.#hold(workflowPath(workflowId), { timeoutMs, signal });
        if (!workflow)
            throw tookTooLong("workflow", { workflowId });
        if (workflow.state !== "completed")
            throw new AtelierWorkflowError(workflow);
        return workflow;
    }
    async workflow(workflowId, { signal } = {}) {
        return this.#read(workflowPath(workflowId), { signal });
    }
    /** All workflows, newest first. */
    workflows(filter = {}, options = {}) {
        return this.#pages("/api/workflows", filter, options);
    }
    /** Asks for a workflow to be stopped: what has not started never does. */
    async cancelWorkflow(workflowId, { signal } = {}) {
        return this.#connection.result(`${workflowPath(workflowId)}/cancel`, { method: "POST", signal });
    }
    /** The bytes of a file that a job has made. */
    async download(output, { signal } = {}) {
        return this.#connection.bytes(output.url, { headers: { accept: "*/*" }, withKey: false, signal });
    }
    /** Sends a file; its upload_id is the value of a param that takes one. */
    async upload(file, { signal } = {}) {
        return this.#connection.result("/api/uploads", {
            method: "POST",
            file,
            headers: { "content-type": "application/octet-stream" },
            onlyOnce: true,
            silenceMs: UPLOAD_SILENCE_MS,
            signal,
        });
    }
    /** Checks the Content Credentials of a file: who signed it, how it was made, and whether it has changed since. Needs no key. */
    async verifyFile(file, { signal } = {}) {
        return this.#connection.result("/api/outputs/verify", {
            method: "POST",
            file,
            headers: { "content-type": "application/octet-stream" },
            withKey: false,
            silenceMs: UPLOAD_SILENCE_MS,
            signal,
        });
    }
    async models(filter = {}, { signal } = {}) {
        return (await this.#read("/api/models", { query: filter, signal })).data;
    }
    async model(slug, { signal } = {}) {
        return this.#read(`/api/models/${encodeURIComponent(slug)}`, { signal });
    }
    async plans({ signal } = {}) {
        return (await this.#read("/api/plans", { signal })).data;
    }
    /** Whose key it is, and what it may do. */
    async me({ signal } = {}) {
        return this.#read("/api/me", { signal });
    }
    async balance({ signal } = {}) {
        return this.#read("/api/credits/balance", { signal });
    }
    /** Every entry of the ledger, newest first. */
    ledger(filter = {}, options = {}) {
        return this.#pages("/api/credits/ledger", filter, options);
    }
    /** Reads the whole ledger and proves that nothing of it was changed, removed or cut off. */
    async verifyLedger(options = {}) {
        const { ledger_seq: lastSeq, ledger_hash: lastHash } = await this.balance(options);
        const entries = [];
        for await (const entry of this.ledger({ limit: 100 }, options))
            if (entry.seq <= lastSeq)
                entries.push(entry);
        const proof = await checkLedger(entries.reverse());
        const isWhole = proof.ok && proof.entries === lastSeq && (lastSeq === 0 || proof.lastHash === lastHash);
        return isWhole || !proof.ok ? proof : { ok: false, seq: Math.min(proof.entries + 1, lastSeq) };
    }
    /** The callbacks of the account, those of the newest jobs first. */
    deliveries(filter = {}, options = {}) {
        return this.#pages("/api/callbacks", filter, options);
    }
    /** Sends a job's callback once more. */
    async redeliver(jobId, { signal } = {}) {
        const sending = { method: "POST", onlyOnce: true, signal };
        return this.#connection.result(`${jobPath(jobId)}/callbacks/redeliver`, sending);
    }
    /** Sends an event `test` to an address at once, and answers what became of it. */
    async testCallback(callbackUrl, { signal } = {}) {
        const json = { callback_url: callbackUrl };
        return this.#connection.result("/api/callbacks/test", { method: "POST", json, onlyOnce: true, signal });
    }
    /** The products of the catalog. Needs no key. */
    async *products(filter = {}, { signal } = {}) {
        for (let page = 1;; page++) {
            const query = { pageSize: 50, ...filter, page };
            const found = await this.#connection.json("/api/catalog", { query, signal });
            yield* found.data;
            if (page >= found.total_pages)
                return;
        }
    }
    async product(slug, { signal } = {}) {
        const path = `/api/catalog/${encodeURIComponent(slug)}`;
        return (await this.#connection.json(path, { signal })).data;
    }
    async #generate(request, options, holdSeconds = 0) {
        const { idempotencyKey = crypto.randomUUID(), signal } = options;
        return this.#connection.result("/api/v1/connect/generate", {
            method: "POST",
            json: await this.#toBody(request, signal),
            headers: {
                "idempotency-key": idempotencyKey,
                ...(holdSeconds > 0 && { prefer: `wait=${holdSeconds}` }),
            },
            signal,
        });
    }
    async #toBody({ model, callbackUrl, maxCredits, ...rest }, signal) {
        const modality = rest.modality ?? (await this.#modalityOf(model, signal));
        return { ...rest, modality, model_slug: model, callback_url: callbackUrl, max_credits: maxCredits };
    }
    /** A model never makes another kind of thing, so it is asked about once. */
    async #modalityOf(model, signal) {
        const known = this.#modalities.get(model);
        if (known)
            return known;
        const { modality } = await this.model(model, { signal });
        this.#modalities.set(model, modality);
        return modality;
    }
    #read(path, sending) {
        return this.#connection.result(path, sending);
    }
    /** Asks again until it has ended; undefined when the time is over. */
    async #hold(path, { timeoutMs, signal }) {
        const endAt = performance.now() + timeoutMs;
        for (;;) {
            const seconds = secondsUntil(endAt);
            const found = await this.#read(path, {
                ...(seconds > 0 && { query: { wait: seconds } }),
                silenceMs: seconds * 1000 + HOLD_GRACE_MS,
                signal,
            });
            if (hasEnded(found.state))
                return found;
            if (performance.now() >= endAt)
                return undefined;
        }
    }
    async *#pages(path, filter, { signal }) {
        let cursor;
        do {
            const page = await this.#read(path, { query: { ...filter, cursor }, signal });
            yield* page.data;
            cursor = page.next_cursor ?? undefined;
        } while (cursor !== undefined);
    }
    async #tellEvents(jobId, { onEvent, signal, timeoutMs, }) {
        const end = AbortSignal.timeout(Math.ceil(timeoutMs));
        const both = signal ? AbortSignal.any([signal, end]) : end;
        try {
            for await (const event of this.events(jobId, { signal: both }))
                onEvent(event);
        }
        catch (error) {
            signal?.throwIfAborted();
            throw end.aborted ? tookTooLong("job", { jobId }) : error;
        }
    }
}
function jobPath(jobId) {
    return `/api/jobs/${encodeURIComponent(jobId)}`;
}
function workflowPath(workflowId) {
    return `/api/workflows/${encodeURIComponent(workflowId)}`;
}
function secondsUntil(endAt) {
    return Math.max(0, Math.min(HOLD_SECONDS, Math.ceil((endAt - performance.now()) / 1000)));
}
function completed(job) {
    if (job.state === "completed")
        return job;
    throw new AtelierJobError(job);
}
function tookTooLong(what, about) {
    return new AtelierError("wait_timeout", `The ${what} has not ended within the time it was waited for. It goes on.`, { ...about, hint: "Wait for it again, or cancel it." });
}
