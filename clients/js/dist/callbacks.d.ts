import type { Callback, TestCallback, WorkflowCallback } from "./resources.js";
export type VerifyCallback = {
    /** The account's callback secret, whsec_…; while it is rotated the new and the old one. */
    readonly secret: string | readonly string[];
    /** Of the request: Headers, or a plain object as Node's servers have it. */
    readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
    /** The body as it arrived, before anything has parsed it. */
    readonly body: string | Uint8Array;
    /** How far the time of signing may be from now. Default: 300 seconds, as Standard Webhooks recommend. */
    readonly toleranceSeconds?: number;
};
/** Told apart by `event`. That of a workflow has `workflow` in the place of `job`. */
export type AnyCallback = (Callback & {
    workflow?: undefined;
}) | (TestCallback & {
    workflow?: undefined;
}) | (WorkflowCallback & {
    job?: undefined;
});
/** What the callback says. Throws an AtelierError with the code callback_refused if it is not genuine. */
export declare function verifyCallback(options: VerifyCallback): Promise<AnyCallback>;
