// The generation endpoint's error texts about its own kind of key.
import type { ErrorWords } from "../protocol/words.ts";

export const GENERATION_WORDS: ErrorWords = {
  missing_key: {
    hint: "Add the header Authorization: Bearer <key> to this server's entry in the assistant's settings; a key with the write scope can be created in account settings.",
  },
  invalid_key: {
    hint: "Check that the whole key was copied into the assistant's settings, that it is a generation key and that it is still live; create a new one in account settings if in doubt.",
  },
  insufficient_scope: {
    message: "This key may read but not write, and the tools need a key with the write scope.",
    hint: "Create a key with the write scope in account settings and put it into the assistant's settings in place of this one.",
  },
  plan_excludes_api: {
    hint: "Move to a plan that includes the API; the key works again as soon as the plan has changed.",
  },
  upload_not_found: {
    hint: "Call create_upload and send the file again, or use an output_id that get_job shows for a job of this account.",
  },
  input_unreachable: {
    hint: "Use an https address on the public internet that answers with the file itself, or call create_upload and pass its upload_id.",
  },
};
