// atelier category list | put | remove
import type { Command } from "commander";
import type { Category } from "../../proto/types/atelier/v1/Category.ts";
import { count, fields, listing } from "../layout.ts";
import type { Cli } from "../session.ts";

export function addCategoryCommands(program: Command, cli: Cli): void {
  const category = program.command("category").description("list, add and remove categories of products");

  category
    .command("list")
    .description("list the categories with their products of every status, each above its subcategories")
    .action(async () => {
      const { categories } = await cli.withCore((core) => core.catalogAdmin.ListCategories({}));
      const column = ({ slug, parent }: Category) => (parent ? `  ${slug}` : slug);
      cli.show(
        categories,
        listing(inTree(categories), { CATEGORY: column, NAME: "name", PRODUCTS: "products" }),
      );
    });

  category
    .command("put <slug> <name>")
    .description("add a category, or rename the one with this slug")
    .option("--parent <slug>", 'parent category; "" makes it a top category (default: unchanged)')
    .action(async (slug: string, name: string, { parent }: { parent?: string }) => {
      const stored = await cli.withCore(async ({ catalogAdmin }) => {
        const before = async () => (await catalogAdmin.ListCategories({})).categories;
        // Core sets the parent together with the name, and a new name must not move the category.
        const kept = parent ?? (await before()).find((category) => category.slug === slug)?.parent ?? "";
        return catalogAdmin.PutCategory({ slug, name, parent: kept });
      });
      cli.show(
        stored,
        fields([
          ["category", stored.slug],
          ["name", stored.name],
          ["parent", stored.parent || "none"],
          ["products", count(stored.products)],
        ]),
      );
    });

  category
    .command("remove <slug>")
    .description("remove a category that no product and no subcategory uses")
    .action(async (slug: string) => {
      await cli.withCore((core) => core.catalogAdmin.RemoveCategory({ slug }));
      cli.show({ slug, removed: true }, `${slug} is removed`);
    });
}

function inTree(categories: readonly Category[]): Category[] {
  const top = categories.filter(({ parent }) => !parent);
  return top.flatMap((category) => [
    category,
    ...categories.filter(({ parent }) => parent === category.slug),
  ]);
}
