import { AtelierError } from "./errors.js";
export type ConnectionOptions = {
    readonly baseUrl: string;
    readonly apiKey: string | undefined;
    readonly retryForMs: number;
    readonly fetch: typeof fetch;
};
type QueryValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>> | undefined;
export type Sending = {
    readonly method?: "GET" | "POST" | "DELETE";
    readonly query?: Readonly<Record<string, QueryValue>> | undefined;
    /** Sent as JSON. */
    readonly json?: unknown;
    /** Sent as it is. */
    readonly file?: BodyInit | undefined;
    readonly headers?: Readonly<Record<string, string>>;
    /** A repeat after a lost connection could do it twice; only an answer that says that it was not done is repeated. */
    readonly onlyOnce?: boolean;
    /** False for an address that is signed itself, maybe of another host: the key stays here. */
    readonly withKey?: boolean;
    /** How long an answer may take. */
    readonly silenceMs?: number;
    readonly signal?: AbortSignal | undefined;
};
export declare class Connection {
    #private;
    constructor(options: ConnectionOptions);
    get retryForMs(): number;
    /** The result of an answer `{ok: true, result}`. */
    result<T>(path: string, sending?: Sending): Promise<T>;
    /** A whole JSON answer. */
    json<T>(path: string, sending?: Sending): Promise<T>;
    /** The bytes of a file. */
    bytes(path: string, sending?: Sending): Promise<Uint8Array>;
    /** An answer with a streaming body; tried once. Throws unless it is a success. */
    open(path: string, sending: Sending): Promise<Response>;
}
/** Whether trying again may succeed without the request being carried out twice. */
export declare function mayRepeat({ code, status }: AtelierError, onlyOnce?: boolean): boolean;
/** Gives fetch's connection failures one code. */
export declare function toFailure(error: unknown): AtelierError;
export {};
