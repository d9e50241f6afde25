// What templates take and make. Stricter than Preact's own types: what would show as "[object Object]" does not compile.

declare const made: unique symbol;

/** An element, or several beside each other, in which every text is escaped. */
export type Markup = { readonly [made]: true };

/** What may stand between tags. undefined and false show nothing. */
export type Children = Markup | string | number | undefined | false | readonly Children[];

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** `<p class=${name} ...${attributes}>${children}</p>`; an attribute that is undefined or false is left out. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (Children | true | Attributes)[]
): Markup;

/** The text of the document. */
export function renderToStaticMarkup(markup: Markup): string;
