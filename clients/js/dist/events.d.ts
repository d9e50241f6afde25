import { type Connection } from "./connection.js";
import type { JobEvent } from "./resources.js";
export declare function hasEnded(state: string): boolean;
export type Watch = {
    readonly jobId: string;
    /** seq of the last event that is known already. */
    readonly after: number;
    readonly signal: AbortSignal | undefined;
};
/** Ends after the job's last event, however often the connection is lost before. */
export declare function watchEvents(connection: Connection, { jobId, after, signal }: Watch): AsyncGenerator<JobEvent, void, undefined>;
