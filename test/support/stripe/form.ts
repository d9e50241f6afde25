// Parses request bodies for Stripe: a[b][0][c]=d.
export type Form = { [name: string]: string | Form | undefined };

export function parseForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== "");
    let at = form;
    for (const part of path.slice(0, -1)) {
      const next = at[part];
      const inner: Form = typeof next === "object" ? next : {};
      at[part] = inner;
      at = inner;
    }
    at[path.at(-1) ?? ""] = value;
  }
  return form;
}

export function formIn(form: Form | undefined, ...path: string[]): Form {
  let at = form ?? {};
  for (const part of path) {
    const next = at[part];
    at = typeof next === "object" ? next : {};
  }
  return at;
}

export function textIn(form: Form, name: string): string | undefined {
  const value = form[name];
  return typeof value === "string" ? value : undefined;
}

/** The items of a list, in order. */
export function listIn(form: Form, name: string): Form[] {
  return Object.values(formIn(form, name)).filter((item) => typeof item === "object");
}
