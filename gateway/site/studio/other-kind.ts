// Where a prompt names a kind of picture that the chosen built-in model does not draw: the form that draws it, with the same prompt.
import { isDeepStrictEqual } from "node:util";
import { samplesOf } from "../samples/samples.ts";
import { inputParamsOf } from "./ask-inputs.ts";
import { type Draft, type Model, newDraft, withParam } from "./draft.ts";
import { paramsOf } from "./params.ts";
import { draftAddress } from "./paths.ts";

export type OtherKind = { readonly kind: string; readonly address: string };

/** The param of clips that chooses the kind of picture that moves. */
const PICTURE = "picture";

export function otherKindOf(models: readonly Model[], model: Model, draft: Draft): OtherKind | undefined {
  if (!drawsWords(model)) return undefined;
  const named = (draft.prompt.toLowerCase().match(/\p{L}+/gu) ?? []).map((word) => word.replace(/s$/, ""));
  const own = draft.params.get(PICTURE) ?? kindOf(model);
  if (named.includes(own)) return undefined;
  const drafts = draft.params.has(PICTURE) ? clipDrafts(model, draft) : pictureDrafts(models, model, draft);
  for (const kind of named) {
    const found = drafts.get(kind);
    if (found) return { kind, address: draftAddress(...found, {}) };
  }
  return undefined;
}

type Drafts = ReadonlyMap<string, readonly [Model, Draft]>;

function clipDrafts(model: Model, draft: Draft): Drafts {
  const picture = paramsOf(model.params_schema).find(({ name }) => name === PICTURE);
  return new Map(
    (picture?.choices ?? []).map((kind) => [String(kind), [model, withParam(draft, PICTURE, String(kind))]]),
  );
}

function pictureDrafts(models: readonly Model[], model: Model, draft: Draft): Drafts {
  const others = models.filter((other) => other.modality === "image" && drawsWords(other));
  return model.modality === "image"
    ? new Map(others.map((other) => [kindOf(other), [other, movedTo(other, model, draft)]]))
    : new Map();
}

/** Whether it is built in and needs nothing but words. */
function drawsWords(model: Model): boolean {
  return samplesOf(model.model_slug).length > 0 && inputParamsOf(model).length === 0;
}

/** Built-in models are named after what they draw: Atelier Poster. */
function kindOf({ name }: Model): string {
  return name.toLowerCase().split(" ").at(-1) ?? "";
}

/** With the values of params that both models have alike. */
function movedTo(other: Model, model: Model, draft: Draft): Draft {
  const own = paramsOf(model.params_schema);
  const alike = paramsOf(other.params_schema).filter(({ name, schema }) =>
    own.some((param) => param.name === name && isDeepStrictEqual(param.schema, schema)),
  );
  const values = alike.map(({ name }) => [name, draft.params.get(name) ?? ""] as const);
  return { ...draft, params: new Map([...newDraft(other).params, ...values]) };
}
