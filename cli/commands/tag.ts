// atelier tag list | put | remove
import type { Command } from "commander";
import { count, fields, listing } from "../layout.ts";
import type { Cli } from "../session.ts";

export function addTagCommands(program: Command, cli: Cli): void {
  const tag = program.command("tag").description("list, add and remove tags of products");

  tag
    .command("list")
    .description("list the tags with their products of every status")
    .action(async () => {
      const { tags } = await cli.withCore((core) => core.catalogAdmin.ListTags({}));
      cli.show(tags, listing(tags, { TAG: "slug", NAME: "name", PRODUCTS: "products" }));
    });

  tag
    .command("put <slug> <name>")
    .description("add a tag, or rename the one with this slug")
    .action((slug: string, name: string) =>
      cli.report(
        (core) => core.catalogAdmin.PutTag({ slug, name }),
        (tag) =>
          fields([
            ["tag", tag.slug],
            ["name", tag.name],
            ["products", count(tag.products)],
          ]),
      ),
    );

  tag
    .command("remove <slug>")
    .description("remove a tag that no product has")
    .action(async (slug: string) => {
      await cli.withCore((core) => core.catalogAdmin.RemoveTag({ slug }));
      cli.show({ slug, removed: true }, `${slug} is removed`);
    });
}
