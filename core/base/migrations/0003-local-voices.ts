// The embedded provider has new voices and composes by the prompt alone: params of unchanged built-in models are updated, and changes by
// operators stay. Sizes of clips stay as well, because a worker of the release before could not make larger ones.
import type { Migration } from "./migration.ts";

type Schema = { properties?: Record<string, { enum?: string[]; default?: unknown }> };
type Model = { _id: string; params_schema_json: string; description: string };

const SHIPPED_VOICES = ["sam", "elf", "robot", "stuffy", "elder", "alien"].join();
const SHIPPED_COMPOSITIONS = ["auto", "landscape", "skyline", "geometric", "ribbons", "constellation"].join();
const VOICE = { type: "string", enum: ["slt", "rms", "awb", "kal16"], default: "slt" };
const SHIPPED_WORDS = "Speaks the prompt with a small synthetic voice; six voices, any pace.";
const WORDS = "Speaks the prompt; four voices, any pace.";

export const localVoices: Migration = {
  version: 3,
  what: "models of the embedded provider name the voices that it has now",
  /** There are a few dozen documents, so all are read together. */
  batch: async ({ db, session }) => {
    const models = db.collection<Model>("models");
    for (const model of await models.find({ provider: "local" }, { session }).toArray()) {
      const schema = JSON.parse(model.params_schema_json) as Schema;
      const { voice, composition } = schema.properties ?? {};
      const properties: Record<string, unknown> = { ...schema.properties };
      if (voice?.enum?.join() === SHIPPED_VOICES) properties["voice"] = VOICE;
      if (composition?.enum?.join() === SHIPPED_COMPOSITIONS) delete properties["composition"];
      const changed = {
        params_schema_json: schema.properties
          ? JSON.stringify({ ...schema, properties })
          : model.params_schema_json,
        description: model.description === SHIPPED_WORDS ? WORDS : model.description,
      };
      if (
        changed.params_schema_json !== model.params_schema_json ||
        changed.description !== model.description
      )
        await models.updateOne({ _id: model._id }, { $set: changed }, { session });
    }
    return null;
  },
};
