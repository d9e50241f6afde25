// Models of the embedded provider as the release before seeded them, and as operators changed them.
import { expect, test } from "vitest";
import { localVoices } from "../../../../core/base/migrations/0003-local-voices.ts";
import { useTestDatabase } from "../../../support/database.ts";
import { runBatches } from "./run-batches.ts";

const database = useTestDatabase();

const model = (_id: string, properties: object, provider = "local") => ({
  _id,
  provider,
  description: "Speaks the prompt with a small synthetic voice; six voices, any pace.",
  params_schema_json: JSON.stringify({ type: "object", additionalProperties: false, properties }),
});
const OLD_VOICE = {
  type: "string",
  enum: ["sam", "elf", "robot", "stuffy", "elder", "alien"],
  default: "sam",
};
const SPEED = { type: "number", default: 1 };

test("unchanged seeded params are updated once; an operator's edits stay", async () => {
  const models = database.mongo.db.collection<{
    _id: string;
    description: string;
    params_schema_json: string;
  }>("models");
  const own = model("own", { voice: { type: "string", enum: ["sam"] } });
  const elsewhere = model("elsewhere", { voice: OLD_VOICE }, "openai");
  await models.insertMany([
    model("voice", { voice: OLD_VOICE, speed: SPEED }),
    model("canvas", {
      composition: {
        type: "string",
        enum: ["auto", "landscape", "skyline", "geometric", "ribbons", "constellation"],
      },
      seed: { type: "integer" },
    }),
    { ...own, description: "Mine." },
    elsewhere,
  ]);
  const migrate = () => runBatches(database.mongo, localVoices, 100);
  expect(await migrate()).toBe(1);
  const after = await models.find().sort({ _id: 1 }).toArray();
  const properties = Object.fromEntries(
    after.map((doc) => [doc._id, (JSON.parse(doc.params_schema_json) as { properties: object }).properties]),
  );
  expect(properties).toEqual({
    voice: { voice: { type: "string", enum: ["slt", "rms", "awb", "kal16"], default: "slt" }, speed: SPEED },
    canvas: { seed: { type: "integer" } },
    own: { voice: { type: "string", enum: ["sam"] } },
    elsewhere: { voice: OLD_VOICE },
  });
  expect(after.find(({ _id }) => _id === "own")?.description).toBe("Mine.");
  expect(after.find(({ _id }) => _id === "voice")?.description).toBe(
    "Speaks the prompt; four voices, any pace.",
  );
  await migrate();
  expect(await models.find().sort({ _id: 1 }).toArray()).toEqual(after);
});
