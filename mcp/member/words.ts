// The member endpoint's error texts about its own kind of key. Member keys come from support, not from the account's pages.
import type { ErrorWords } from "../protocol/words.ts";

export const MEMBER_WORDS: ErrorWords = {
  missing_key: {
    message: "No member key was sent.",
    hint: "Add the header Authorization: Bearer <member key> to this server's entry in the assistant's settings; members get their key from support.",
  },
  invalid_key: {
    message: "The member key is not valid here.",
    hint: "Check that the whole key was copied into the assistant's settings and that it is a member key, which begins with atl_mem_; support replaces one that was revoked or lost.",
  },
  membership_inactive: {
    message: "The account has no active membership that includes these tools.",
    hint: "Join, renew or upgrade on the website's membership page; the same key works again as soon as the membership includes them. Licences of purchased products stay valid.",
  },
  plan_excludes_api: {
    message: "The account's plan does not include generation through tools.",
    hint: "Move to a plan that includes the API on the website; connect_generate is listed as soon as the plan has changed.",
  },
};
