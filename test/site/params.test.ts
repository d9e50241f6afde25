// Params of models as form fields: the field of a schema, and the value of a form.
import { describe, expect, test } from "vitest";
import { renderToStaticMarkup } from "../../gateway/site/design/markup.js";
import { Form } from "../../gateway/site/session/forms.ts";
import {
  type Model,
  issuesByField,
  newDraft,
  readDraft,
  toBody,
  priceOfDraft,
} from "../../gateway/site/studio/draft.ts";
import { inWords, paramField, paramsOf } from "../../gateway/site/studio/params.ts";

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["style"],
  properties: {
    style: { type: "string", enum: ["flat", "deep"] },
    scale: { enum: [1, 2, 4], default: 2 },
    wide: { type: "boolean", default: true, description: "Twice as wide." },
    duration_seconds: { type: "number", minimum: 0.5, maximum: 10, default: 4 },
    odd: { type: "integer", minimum: 3, multipleOf: 2 },
    title: { type: "string" },
    colours: { type: "array", items: { type: "string" } },
  },
};
const MODEL: Model = {
  model_slug: "m",
  name: "M",
  modality: "video",
  description: "",
  credits: 3,
  per: "second",
  estimated_seconds: 1,
  max_prompt_length: 100,
  params_schema: SCHEMA,
  status: "live",
  provider: "test",
};

const fieldOf = (name: string, error?: string): string => {
  const param = paramsOf(SCHEMA).find((one) => one.name === name);
  if (!param) throw new Error(`no param ${name}`);
  return renderToStaticMarkup(paramField(param, param.fallback, error));
};
const formOf = (fields: Record<string, string>) => new Form(new URLSearchParams(fields).toString());
const paramsSent = (fields: Record<string, string>) =>
  toBody(readDraft(formOf(fields), MODEL), MODEL)["params"];

describe("a form field for a param", () => {
  test("offers an enum's values, and an empty one only when optional", () => {
    expect(fieldOf("style").match(/<option/g)).toHaveLength(2);
    expect(fieldOf("scale")).toContain('<option value="2" selected>');
  });

  test("has a step like the schema where browsers support it", () => {
    expect(fieldOf("duration_seconds")).toMatch(/min="0.5" max="10" step="any"/);
    // From the minimum of 3 browsers would count odd numbers.
    expect(fieldOf("odd")).toMatch(/min="3" step="1"/);
  });

  test("is a switch with name and effect, ticked by default as in the schema", () => {
    expect(fieldOf("wide")).toMatch(/type="checkbox"[^>]* checked[^>]*>.*Wide: Twice as wide\./);
  });

  test("links its error to its control", () => {
    expect(fieldOf("title", "This is too long.")).toMatch(
      /aria-describedby="param.title-error" aria-invalid="true"/,
    );
  });

  test("accepts JSON for types without a field", () => {
    expect(fieldOf("colours")).toContain("As JSON.");
  });
});

describe("values from a form", () => {
  test("are converted to the schema's types", () => {
    const sent = {
      "param.style": "deep",
      "param.scale": "4",
      "param.wide": "true",
      "param.duration_seconds": "2.5",
      "param.title": "12",
      "param.colours": '["red"]',
    };
    expect(paramsSent(sent)).toEqual({
      style: "deep",
      scale: 4,
      wide: true,
      duration_seconds: 2.5,
      title: "12",
      colours: ["red"],
    });
  });

  test("leave out empty fields, and turn off unticked switches", () => {
    expect(paramsSent({ "param.style": "flat", "param.odd": "" })).toEqual({ style: "flat", wide: false });
  });

  test("reach core unchanged when they cannot be converted", () => {
    expect(paramsSent({ "param.odd": "three", "param.colours": "[red", "param.scale": "3" })).toEqual({
      odd: "three",
      colours: "[red",
      scale: "3",
      wide: false,
    });
  });

  test("are priced with the default when empty, and not at all when invalid", () => {
    const price = (sent: string) =>
      priceOfDraft(readDraft(formOf({ "param.duration_seconds": sent }), MODEL), MODEL);
    expect([price(""), price("2.1"), price("long"), price("0")]).toEqual([12, 9, undefined, undefined]);
  });
});

test.each([
  [true, "yes"],
  [false, "no"],
  [7, "7"],
  ["false", "false"],
  [["red", "blue"], '["red","blue"]'],
])("people read the value %j as %s", (value, words) => {
  expect(inWords("colours", value)).toBe(words);
});

test("people choose among voices by who speaks", () => {
  const schema = { properties: { voice: { enum: ["slt", "awb"], default: "slt", description: "slt is …" } } };
  const [voice] = paramsOf(schema);
  if (!voice) throw new Error("no voice");
  const field = renderToStaticMarkup(paramField(voice, "slt", undefined));
  expect(field).toMatch(/value="slt" selected>Woman, American<.*value="awb">Man, Scottish</s);
  expect(field).not.toContain("slt is");
  expect(inWords("voice", "awb")).toBe("Man, Scottish");
});

test("a form starts with the defaults, or with an earlier job's params", () => {
  expect(newDraft(MODEL).params.get("duration_seconds")).toBe("4");
  const job = { prompt: "again", callback: null, params: { wide: false, colours: ["a"] } };
  const draft = newDraft(MODEL, job);
  expect(draft.prompt).toBe("again");
  expect(draft.params.get("wide")).toBe("false");
  expect(draft.params.get("colours")).toBe('["a"]');
});

test("errors without a field are shown above the form", () => {
  const issues = [
    { path: "params.odd", message: "must be odd" },
    { path: "params.odd", message: "must be at most 9" },
    { path: "params.gone", message: "is not known" },
    { path: "metadata", message: "is too much" },
  ];
  expect([...issuesByField(issues, MODEL)]).toEqual([
    ["param.odd", "This must be odd. This must be at most 9."],
    ["", "params.gone is not known. metadata is too much."],
  ]);
});
