// The products of the demonstration catalog: categories with their subcategories, and the words that describe the products of each.
import data from "./shelves.json" with { type: "json" };

export type Shelf = {
  readonly category: string;
  readonly slug: string;
  readonly name: string;
  /** The nouns after the first name of a product. */
  readonly nouns: readonly string[];
  readonly taglines: readonly string[];
  /** Facts about products; each product gets some of these. */
  readonly features: readonly string[];
  readonly tags: readonly string[];
  /** In US dollars, for the standard licence. */
  readonly price: { readonly low: number; readonly high: number };
  readonly hasDemo: boolean;
};

export const DEMO_CATEGORIES: readonly { slug: string; name: string }[] = data.categories;
export const SHELVES: readonly Shelf[] = data.shelves;
export const FIRST_NAMES: readonly string[] = data.firstNames;
