/** Twice as long each time, with jitter, so that clients disconnected together do not return together. */
export declare function pauseMs(attempt: number): number;
export declare function sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
/** A signal that also ends when nothing was heard for a while: a connection can be dead without anybody saying so. */
export declare class Watchdog {
    #private;
    constructor(silenceMs: number, outer: AbortSignal | undefined);
    get signal(): AbortSignal;
    /** Something came: the silence begins anew. */
    heard(): void;
    end(): void;
}
