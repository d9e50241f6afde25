// The message of a form that was refused as a whole, in the words of error-words.ts.
import type { AppError } from "../../../proto/codes.ts";
import type { Markup } from "../design/markup.js";
import { notice } from "../design/notice.ts";
import { type ErrorWords, errorWords } from "./error-words.ts";

/** Errors of a field are shown beside it. */
export function refusalNotice(refusal: AppError, words: ErrorWords = errorWords(refusal)): Markup {
  return refusal.issues
    ? notice({ tone: "danger", title: "Please check what you entered" })
    : notice({ tone: "danger", title: words.title, body: `${words.what} ${words.next}` });
}
