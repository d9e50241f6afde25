// The relation of each field of a stored document to the account that the document belongs to. Erasing, archiving and exporting derive from
// it. This file is pure.
import { isDeepStrictEqual } from "node:util";

type Stored = Record<string, unknown>;

/**
 * The class of a field:
 *
 * - `owner`: words, files, addresses and whatever else the account's owner wrote, was given or was told. It is in the account's export.
 * - `hidden`: the owner's as well, but shown to no one: secrets, hashes, notes of ours for work under way. It is in no export.
 * - `counted`: what the books, the audit and receipts need. It outlives the account.
 *
 * What is `owner` or `hidden` goes with the account, and so does a field without a class, which a newer release has written. In a document
 * that outlives its account, `{owner: x}` and `{hidden: x}` leave x in the place of a field that has to be there; `each` classifies the
 * documents in a list and `within` the one in a field, so that nothing is counted as a part of something else.
 */
export type FieldClass =
  | "owner"
  | "hidden"
  | "counted"
  | { readonly owner: unknown }
  | { readonly hidden: unknown }
  | { readonly each: Fields }
  | { readonly within: Fields };

export type Fields = { readonly [name: string]: FieldClass };

/** For a union, the fields of all its members. */
type NamesOf<Doc> = Doc extends unknown ? keyof Doc : never;
type ValueOf<Doc, Name> = Doc extends unknown ? (Name extends keyof Doc ? Doc[Name] : never) : never;
type IsOptional<Doc, Name extends keyof Doc> = object extends Pick<Doc, Name> ? true : false;

type Nested<Value> = Value extends readonly (infer Each)[]
  ? Each extends object
    ? Each extends Date
      ? never
      : { readonly each: KeptFields<Each> }
    : never
  : Value extends Date | { readonly buffer: unknown }
    ? never
    : Value extends object
      ? string extends keyof Value
        ? never
        : { readonly within: KeptFields<Value> }
      : never;

type Gone<Doc, Name> = Name extends keyof Doc
  ? IsOptional<Doc, Name> extends true
    ? "owner" | "hidden"
    : { readonly owner: Doc[Name] } | { readonly hidden: Doc[Name] }
  : "owner" | "hidden";

type KeptField<Doc, Name, Value = NonNullable<ValueOf<Doc, Name>>> =
  | Gone<Doc, Name>
  | ([Nested<Value>] extends [never] ? "counted" : Nested<Value>);

/** The classes of a document that outlives its account. Every field must have one. */
export type KeptFields<Doc> = { readonly [Name in NamesOf<Doc>]-?: KeptField<Doc, Name> };

type GoneField<Value> =
  | "owner"
  | "hidden"
  | (Value extends readonly (infer Each extends object)[] ? { readonly each: GoneFields<Each> } : never);

/** The classes of a document that is deleted with its account. Every field must have one. */
export type GoneFields<Doc> = {
  readonly [Name in NamesOf<Doc>]-?: GoneField<NonNullable<ValueOf<Doc, Name>>>;
};

/** No name but those of the document's fields: an object may be made of lists, in which the compiler does not look for others. */
type Only<Classes, Doc> = { readonly [Name in Exclude<keyof Classes, NamesOf<Doc>>]: never };

/** Declares the classes of a document that outlives its account. */
export function keptFields<Doc>() {
  return <const Classes extends KeptFields<Doc>>(classes: Classes & Only<Classes, Doc>): Classes => classes;
}

/** Declares the classes of a document that is deleted with its account. */
export function goneFields<Doc>() {
  return <const Classes extends GoneFields<Doc>>(classes: Classes & Only<Classes, Doc>): Classes => classes;
}

/** Gives several fields the class `owner`. */
export const owner = classify("owner");
/** Gives several fields the class `hidden`. */
export const hidden = classify("hidden");
/** Gives several fields the class `counted`. */
export const counted = classify("counted");

function classify<Class extends "owner" | "hidden" | "counted">(fieldClass: Class) {
  return <Name extends string>(...names: readonly Name[]): Readonly<Record<Name, Class>> =>
    Object.fromEntries(names.map((name) => [name, fieldClass])) as Record<Name, Class>;
}

/** The classes of an owner's input, by the fields of its schema. */
export function ownersFields<Name extends string>(shape: Readonly<Record<Name, unknown>>) {
  return owner(...(Object.keys(shape) as Name[]));
}

/** Whether any field of the document outlives its account. */
export function isKept(fields: Fields): boolean {
  return Object.values(fields).some((field) => field === "counted" || isKept(innerOf(field) ?? {}));
}

/** Splits a document into its counted part and the rest that differs from what remains without it. */
export function splitFields(doc: object, fields: Fields): { counted: Stored; rest: Stored } {
  const counted: Stored = {};
  const rest: Stored = {};
  for (const [name, value] of Object.entries(doc)) {
    const field = classOf(fields, name);
    const inner = innerOf(field);
    if (field === "counted" || (inner && value === null)) counted[name] = value;
    else if (inner && Array.isArray(value)) {
      const parts = value.map((one: object) => splitFields(one, inner));
      counted[name] = parts.map((part) => part.counted);
      const rests = parts.map((part) => (isEmpty(part.rest) ? null : part.rest));
      if (rests.some((one) => one !== null)) rest[name] = rests;
    } else if (inner && isDocument(value)) {
      const part = splitFields(value, inner);
      counted[name] = part.counted;
      if (!isEmpty(part.rest)) rest[name] = part.rest;
    } else if (value !== undefined && !isDeepStrictEqual(value, blankOf(field)?.value)) rest[name] = value;
  }
  return { counted, rest };
}

/** Restores the document. Without the rest it is as after the deletion of its account. */
export function joinFields(counted: Stored, rest: Stored, fields: Fields): Stored {
  const joined: Stored = { ...blanksOf(fields), ...counted, ...rest };
  for (const [name, field] of Object.entries(fields)) {
    const [inner, part, more] = [innerOf(field), counted[name], rest[name]];
    if (inner && Array.isArray(part))
      joined[name] = part.map((one: Stored, i) =>
        joinFields(one, (more as Stored[] | undefined)?.[i] ?? {}, inner),
      );
    else if (inner && isDocument(part)) joined[name] = joinFields(part, (more ?? {}) as Stored, inner);
  }
  return joined;
}

/** The exported part of a document: only the fields that its owner may see. */
export function shownFields(doc: object, fields: Fields): Stored {
  const shown = Object.entries(doc).flatMap(([name, value]): [string, unknown][] => {
    const field = classOf(fields, name);
    const inner = innerOf(field);
    if (inner && Array.isArray(value)) return [[name, value.map((one: object) => shownFields(one, inner))]];
    return field === "owner" || (typeof field === "object" && "owner" in field) ? [[name, value]] : [];
  });
  return Object.fromEntries(shown);
}

/** The update that removes all but the counted fields of a stored document. */
export function erasing(fields: Fields): [{ $replaceWith: Stored }] {
  return [{ $replaceWith: leftOf(fields, "$") }];
}

/**
 * Finds documents that contain more than `erasing` leaves. Documents whose nested fields are in another order are found too, which does no
 * harm.
 */
export function holdsMore(fields: Fields): { $expr: Stored } {
  const [all, left] = [{ $objectToArray: "$$ROOT" }, { $objectToArray: leftOf(fields, "$") }];
  return { $expr: { $ne: [{ $setDifference: [all, left] }, []] } };
}

function leftOf(fields: Fields, at: string): Stored {
  const left = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const value = `${at}${name}`;
    const inner = innerOf(field);
    const blank = blankOf(field);
    if (field === "counted") return [[name, value]];
    if (blank) return [[name, { $literal: blank.value }]];
    if (!inner) return [];
    const each = { $map: { input: value, as: "one", in: leftOf(inner, "$$one.") } };
    const within = { $cond: [{ $eq: [{ $type: value }, "object"] }, leftOf(inner, `${value}.`), value] };
    return [[name, { $cond: [{ $isArray: value }, each, within] }]];
  });
  return Object.fromEntries(left);
}

function blanksOf(fields: Fields): Stored {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const blank = blankOf(field);
      return blank ? [[name, blank.value]] : [];
    }),
  );
}

function classOf(fields: Fields, name: string): FieldClass | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function innerOf(field: FieldClass | undefined): Fields | undefined {
  if (typeof field !== "object") return undefined;
  if ("each" in field) return field.each;
  return "within" in field ? field.within : undefined;
}

function blankOf(field: FieldClass | undefined): { readonly value: unknown } | undefined {
  if (typeof field !== "object") return undefined;
  if ("owner" in field) return { value: field.owner };
  return "hidden" in field ? { value: field.hidden } : undefined;
}

function isDocument(value: unknown): value is Stored {
  return typeof value === "object" && value !== null;
}

function isEmpty(rest: Stored): boolean {
  return Object.keys(rest).length === 0;
}
