// What a model would draw for a prompt, before anything is generated. Costs nothing and writes nothing.
import type { Caller } from "../../../proto/caller.ts";
import { characters, MAX_PROMPT_CHARACTERS } from "../../../proto/resources/job.ts";
import { invalidRequest } from "../../../proto/resources/issues.ts";
import type { Prediction } from "../../adapters/providers/provider.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import type { App } from "../../kernel/app.ts";
import { getModel } from "../models/list-models.ts";
import { checkParams } from "../models/params.ts";

/** Visitors may ask as well; a key needs the read scope. Params that are not valid yet are taken as they are. */
export async function understand(
  app: App,
  caller: Caller,
  {
    slug,
    prompt,
    params: given,
  }: { slug: string; prompt: string; params: Readonly<Record<string, unknown>> },
): Promise<Prediction> {
  if (caller.kind !== "none") await authenticate(app, caller, "read");
  if (characters(prompt) > MAX_PROMPT_CHARACTERS)
    throw invalidRequest([
      { path: "prompt", message: `must be at most ${MAX_PROMPT_CHARACTERS} characters` },
    ]);
  const found = await getModel(app, slug);
  const checked = checkParams(found, given);
  const params = Array.isArray(checked) ? given : checked.params;
  const request = { model: found.provider_model, prompt, params };
  return (await app.providers.get(found.provider)?.understand?.(request)) ?? {};
}
