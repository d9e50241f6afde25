// The table of error texts on pages. They say what the person did and can do next; programs receive the texts of proto/codes.ts.
import {
  type AppError,
  type ErrorCode,
  hasOwnMessage,
  isErrorCode,
  type Issue,
} from "../../../proto/codes.ts";

export type ErrorWords = { readonly title: string; readonly what: string; readonly next: string };

type Row = ErrorWords & {
  /** The code that threw the error has already written a message for people with the relevant numbers or names. */
  readonly isToldExactly?: true;
};

const RELOAD = "Go back, reload the page and try again.";
const WAIT = "Wait a moment, then try again. Nothing was lost.";

const UNREADABLE: Row = {
  title: "We could not read that",
  what: "The data from your browser arrived incomplete.",
  next: RELOAD,
};
/** Errors that only programs cause; a page that shows one has sent an invalid request. */
const PROGRAMS: Row = {
  title: "That did not work",
  what: "This part of the site is meant for programs.",
  next: "If you came here from one of our pages, please tell support.",
};
const NOTHING_HERE: Row = {
  title: "We cannot find that",
  what: "The link may be old, or there may be a typing error in the address.",
  next: "Check the address, or start from one of the pages below.",
  isToldExactly: true,
};

const WORDS: Readonly<Record<ErrorCode, Row>> = {
  invalid_json: UNREADABLE,
  invalid_request: {
    title: "Something there is not right",
    what: "We could not use what was entered.",
    next: "Check it and try again.",
    isToldExactly: true,
  },
  missing_key: PROGRAMS,
  invalid_key: {
    title: "That key does not work",
    what: "It may be mistyped, revoked or past its date.",
    next: "Copy the whole key again, or create a new one in your settings.",
  },
  not_signed_in: {
    title: "Sign in first",
    what: "You have been signed out, or were not signed in yet.",
    next: "Sign in and do it again.",
  },
  invalid_link: {
    title: "This sign-in link no longer works",
    what: "Each link works once, for 15 minutes.",
    next: "Ask for a new one on the sign-in page.",
  },
  insufficient_credits: {
    title: "Not enough credits",
    what: "You have fewer credits than this costs.",
    next: "Buy credits, wait for running jobs to finish, or choose something cheaper.",
    isToldExactly: true,
  },
  spend_limit_reached: {
    title: "That is more than the limit allows",
    what: "A spending limit was reached.",
    next: "Raise the limit, or choose something cheaper.",
    isToldExactly: true,
  },
  confirmation_required: {
    title: "This needs a yes first",
    what: "It costs more than may be spent without asking you.",
    next: "Open the page for it, and say yes or no.",
  },
  confirmation_declined: {
    title: "You said no to this",
    what: "Nothing was made, and nothing was spent.",
    next: "Ask for it again if you want it after all.",
  },
  insufficient_scope: {
    title: "This key may only read",
    what: "What you asked for needs a key that may also write.",
    next: "Create one in your settings.",
  },
  plan_excludes_api: {
    title: "Your plan does not include this",
    what: "Programs and assistants need a plan with API access.",
    next: "Compare the plans in your settings.",
  },
  membership_inactive: {
    title: "This is for members",
    what: "It needs an active membership.",
    next: "Join or renew on your membership page.",
    isToldExactly: true,
  },
  membership_required: {
    title: "This is for members",
    what: "Your membership does not include it.",
    next: "Join or renew on your membership page.",
    isToldExactly: true,
  },
  account_suspended: {
    title: "This account is suspended",
    what: "Nothing can be done with it for now.",
    next: "Write to support to learn why and how to restore it.",
  },
  origin_not_allowed: PROGRAMS,
  request_forged: {
    title: "This page was open for too long",
    what: "It belongs to an earlier sign-in, so nothing was done.",
    next: "Open the page again and try again.",
    isToldExactly: true,
  },
  not_found: NOTHING_HERE,
  product_not_found: {
    title: "We cannot find that product",
    what: "It may have been renamed, or is no longer sold.",
    next: "Search the catalog for it.",
  },
  job_not_found: {
    title: "We cannot find that job",
    what: "It may belong to another account, or the link is not complete.",
    next: "Look for it among your jobs.",
  },
  workflow_not_found: {
    title: "We cannot find that workflow",
    what: "It may belong to another account, or the link is not complete.",
    next: "Look for it among your workflows.",
  },
  upload_not_found: {
    title: "That file is gone",
    what: "Uploads are kept for a while only.",
    next: "Choose the file again.",
  },
  method_not_allowed: { ...NOTHING_HERE, title: "This page cannot be used that way" },
  job_not_cancellable: {
    title: "It is too late to stop this job",
    what: "It has ended, or cannot be stopped any more.",
    next: "If it fails, its credits come back in full.",
    isToldExactly: true,
  },
  workflow_not_cancellable: {
    title: "It is too late to stop this workflow",
    what: "It has ended.",
    next: "Credits of failed jobs were refunded.",
    isToldExactly: true,
  },
  job_not_ended: {
    title: "The job is still running",
    what: "This can be done when it has ended.",
    next: "Wait until it has, then try again.",
  },
  hold_ended: {
    title: "These credits are no longer held",
    what: "They were charged, or are back on your account.",
    next: "Your credits page shows which.",
  },
  ticket_closed: {
    title: "This ticket is closed",
    what: "It takes no more messages.",
    next: "Open a new one and mention this one in it.",
  },
  key_limit_reached: {
    title: "You have as many keys as you can have",
    what: "An account can only have so many at a time.",
    next: "Revoke one you no longer use, then create the new one.",
    isToldExactly: true,
  },
  upload_limit_reached: {
    title: "Your uploads are full",
    what: "An account can only keep so many files at a time.",
    next: "Delete some you no longer need, or wait until they expire.",
    isToldExactly: true,
  },
  upload_too_large: {
    title: "That file is too large",
    what: "Pictures may have 25 MB, audio 50 MB and video 200 MB.",
    next: "Choose a smaller file.",
    isToldExactly: true,
  },
  body_too_large: {
    title: "That is too long",
    what: "What you sent is longer than we can take.",
    next: "Shorten it and try again.",
  },
  unsupported_media_type: UNREADABLE,
  range_not_satisfiable: {
    title: "The download could not go on",
    what: "The part of the file that was asked for does not exist.",
    next: "Start the download again.",
  },
  model_not_available: {
    title: "This model is not available",
    what: "It may be paused, or no longer offered.",
    next: "Choose another model.",
  },
  modality_mismatch: {
    title: "This model makes something else",
    what: "Pictures, video and audio each have models of their own.",
    next: "Choose a model for what you want to make.",
  },
  unsupported_input: {
    title: "We cannot use that file",
    what: "It is damaged, or of a kind that we do not take.",
    next: "Use a PNG, JPEG, WebP or AVIF picture, WAV, MP3, FLAC or AAC audio, or MP4 or WebM video.",
    isToldExactly: true,
  },
  input_unreachable: {
    title: "We could not fetch that file",
    what: "Nothing usable answers at its address.",
    next: "Check the address, or upload the file instead.",
  },
  callback_url_refused: {
    title: "We cannot call that address",
    what: "It has to be an https address that can be reached from the internet.",
    next: "Check it, and leave out any user name and password.",
    isToldExactly: true,
  },
  idempotency_mismatch: {
    title: "This form was sent before",
    what: "It went out once already, with something else in it.",
    next: RELOAD,
  },
  invalid_signature: PROGRAMS,
  not_for_sale: {
    title: "This cannot be bought right now",
    what: "Nothing was charged.",
    next: "Its page says when it can be bought.",
    isToldExactly: true,
  },
  already_owned: {
    title: "You have this already",
    what: "Nothing was charged.",
    next: "You will find it in your library.",
  },
  price_changed: {
    title: "The price has changed",
    what: "It is not what you saw any more. Nothing was charged.",
    next: "Look at the new price, and confirm again if it suits you.",
    isToldExactly: true,
  },
  order_not_payable: {
    title: "This order cannot be paid",
    what: "It is paid already, it is over, or the bank still decides.",
    next: "Open the order to see what happened to it.",
  },
  trial_unavailable: {
    title: "There is no trial for this account",
    what: "Each mailbox has one, and a plan with the API needs none.",
    next: "Compare the plans, and choose one that includes the API.",
    isToldExactly: true,
  },
  order_conflict: {
    title: "That cannot be done now",
    what: "Something has changed in the meantime.",
    next: "Your orders, plan and membership are in your settings, each with its state.",
    isToldExactly: true,
  },
  rate_limited: {
    title: "A little slower, please",
    what: "That was a lot in a short time.",
    next: "Wait a moment, then try again.",
  },
  queue_full: {
    title: "Too many of your jobs are waiting",
    what: "As many jobs are waiting as your plan allows.",
    next: "Wait for some of them to finish, then try again.",
  },
  catalog_unavailable: {
    title: "The catalog is taking a short break",
    what: "We cannot show products at the moment.",
    next: WAIT,
  },
  generation_failed: {
    title: "That could not be made",
    what: "Your credits came back.",
    next: "Change the prompt, or try again.",
  },
  internal: {
    title: "Something went wrong",
    what: "It is not your fault, and we have made a note of it.",
    next: "Try again. If it keeps happening, tell support.",
  },
  service_unavailable: {
    title: "That did not work just now",
    what: "Part of the site does not answer right now.",
    next: WAIT,
    isToldExactly: true,
  },
  deadline_exceeded: {
    title: "That took too long",
    what: "The service took too long to respond.",
    next: WAIT,
  },
};

type Told = { code: string; message: string; issues?: readonly Issue[] | undefined };

/**
 * The text for an AppError or an error body. An unknown code is described as our fault. Errors of single fields are described at the field.
 */
export function errorWords({ code, message, issues }: Told): ErrorWords {
  const known = isErrorCode(code) ? code : "internal";
  const { isToldExactly, ...words } = WORDS[known];
  return isToldExactly && hasOwnMessage({ code: known, message, issues })
    ? { ...words, what: forPeople(message) }
    : words;
}

/** Field names as people call them. */
function forPeople(message: string): string {
  return message.replace("The callback_url ", "The address ");
}

/** The names on pages for invalid parts of an address or a form. */
const PARTS: Readonly<Record<string, string>> = {
  page: "The page number",
  pageSize: "The number of products a page",
  sort: "The order",
  search: "The search",
  category: "The category",
  subcategory: "The kind",
  tag: "A tag",
  status: "The availability",
  pricing_tier: "The price range",
  price_min: "The lowest price",
  price_max: "The highest price",
  cursor: "The place in the list",
  version: "The version",
  url: "The address",
  email: "The email address",
  name: "The name",
  subject: "The subject",
  text: "The message",
  kind: "The kind",
  about: "The order or job",
  expected_cents: "The price",
};

/** One sentence for each invalid part; parts that mean nothing to a person are left out. */
export function issueSentences(issues: readonly Issue[]): string[] {
  return issues.flatMap(({ path, message }) => {
    const part = PARTS[path];
    return part === undefined ? [] : [`${part} ${message}.`];
  });
}

/** The sentence beside a field. */
export function issueAt(error: AppError | undefined, path: string): string | undefined {
  const issue = error?.issues?.find((one) => one.path === path);
  return issue && `This ${issue.message}.`;
}
