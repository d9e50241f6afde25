// What a model would draw for a prompt, before anything is generated. Costs nothing and writes nothing.
import type { Caller } from "../../../proto/caller.ts";
import { characters, MAX_PROMPT_CHARACTERS, type Understood } from "../../../proto/resources/job.ts";
import { invalidRequest } from "../../../proto/resources/issues.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import type { App } from "../../kernel/app.ts";
import { getModel } from "../models/list-models.ts";

/** Undefined if the provider cannot predict it. */
export async function understand(
  app: App,
  caller: Caller,
  { slug, prompt }: { slug: string; prompt: string },
): Promise<Understood | undefined> {
  await authenticate(app, caller, "read");
  if (characters(prompt) > MAX_PROMPT_CHARACTERS)
    throw invalidRequest([
      { path: "prompt", message: `must be at most ${MAX_PROMPT_CHARACTERS} characters` },
    ]);
  const { provider, provider_model } = await getModel(app, slug);
  return app.providers.get(provider)?.understand?.(provider_model, prompt);
}
