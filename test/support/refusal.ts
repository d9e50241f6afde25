import { AppError } from "../../proto/codes.ts";

type Refusal = Pick<AppError, "code" | "message" | "hint" | "issues" | "numbers" | "retryAfterSeconds">;

/** The refusal of `work`, with everything that a caller can see of it. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, hint, issues, numbers, retryAfterSeconds } = error;
    return { code, message, hint, issues, numbers, retryAfterSeconds };
  }
  throw new Error("was not refused");
}
