// Converts between a resource and the message that carries it. The resource's zod schema is the only list of its fields.
//
// Four rules, and no fifth: what is null in a resource is absent from its message; a record of anything travels as JSON in a field named
// `<name>_json`; an optional list is absent when it is empty, since a message cannot tell the two apart; fields that only the message has
// are dropped.
import { z } from "zod";

type Value = unknown;
type Fields = Record<string, Value>;

/** How one field travels. */
type Field = {
  readonly name: string;
  /** Its name in the message. */
  readonly wire: string;
  readonly optional: boolean;
  readonly nullable: boolean;
  /** Converts a value that is present; undefined if it travels unchanged. */
  readonly read: ((value: Value) => Value) | undefined;
  readonly write: ((value: Value) => Value) | undefined;
};

const compiled = new WeakMap<z.ZodObject, readonly Field[]>();

/** The message is not one of ours: a field holds a value of the wrong kind. */
export class MalformedField extends Error {
  override readonly name = "MalformedField";
  /** The field's name in the resource. */
  readonly field: string;

  constructor(field: string, message: string, cause: unknown) {
    super(message, { cause });
    this.field = field;
  }
}

/** Returns the resource that a message carries. Its values are not validated: both sides are made from one release's schemas. */
export function fromMessage<S extends z.ZodObject>(schema: S, message: object): z.output<S> {
  const from = message as Fields;
  const resource: Fields = {};
  for (const { name, wire, optional, nullable, read } of fieldsOf(schema)) {
    const value = from[wire];
    if (value === null || value === undefined || (optional && Array.isArray(value) && value.length === 0)) {
      if (nullable) resource[name] = null;
      else if (!optional) throw new TypeError(`a message came without ${wire}`);
    } else resource[name] = read ? read(value) : value;
  }
  return resource as z.output<S>;
}

export function fromMessages<S extends z.ZodObject>(schema: S, messages: readonly object[]): z.output<S>[] {
  return messages.map((message) => fromMessage(schema, message));
}

/**
 * Returns the message that carries a resource, with the message's own further fields. A test compares the schemas with the protos, so the
 * fields are known to exist.
 */
export function toMessage<S extends z.ZodObject, Message extends object>(
  schema: S,
  resource: z.output<S>,
  beside?: Partial<Message>,
): Message {
  const from = resource as Fields;
  const message: Fields = { ...beside };
  for (const { name, wire, write } of fieldsOf(schema)) {
    const value = from[name];
    if (value !== null && value !== undefined) message[wire] = write ? write(value) : value;
  }
  return message as Message;
}

export function toMessages<S extends z.ZodObject, Message extends object>(
  schema: S,
  resources: readonly z.output<S>[],
): Message[] {
  return resources.map((resource) => toMessage(schema, resource));
}

/** A resource's fields, each with its name in the message. */
export function fieldsOf(schema: z.ZodObject): readonly Field[] {
  let fields = compiled.get(schema);
  if (!fields) {
    fields = Object.entries(schema.shape).map(([name, field]) => compileField(name, field as z.ZodType));
    compiled.set(schema, fields);
  }
  return fields;
}

function compileField(name: string, schema: z.ZodType): Field {
  let [inner, optional, nullable] = [schema, false, false];
  for (;;) {
    if (inner instanceof z.ZodOptional) [inner, optional] = [inner.unwrap() as z.ZodType, true];
    else if (inner instanceof z.ZodNullable) [inner, nullable] = [inner.unwrap() as z.ZodType, true];
    else break;
  }
  const json = inner instanceof z.ZodRecord && !(inner.valueType instanceof z.ZodString);
  return {
    name,
    wire: json ? `${name}_json` : name,
    optional,
    nullable,
    ...(json ? recordOf(name) : compileValue(inner)),
  };
}

function compileValue(schema: z.ZodType): Pick<Field, "read" | "write"> {
  if (schema instanceof z.ZodObject) {
    return {
      read: (value) => fromMessage(schema, value as object),
      write: (value) => toMessage(schema, value as z.output<typeof schema>),
    };
  }
  if (schema instanceof z.ZodArray) {
    const { read, write } = compileValue(schema.element as z.ZodType);
    return {
      read: read && ((values) => (values as Value[]).map(read)),
      write: write && ((values) => (values as Value[]).map(write)),
    };
  }
  return { read: undefined, write: undefined };
}

/** A free-form record as JSON. A message that was sent without the field has "" in it. */
function recordOf(name: string): Pick<Field, "read" | "write"> {
  const read = (json: Value): Value => {
    try {
      return json === "" ? {} : JSON.parse(json as string);
    } catch (cause) {
      throw new MalformedField(name, "is not valid JSON", cause);
    }
  };
  return { read, write: JSON.stringify };
}
