// atelier review list | hide
import type { Command } from "commander";
import { listing } from "../layout.ts";
import type { Cli } from "../session.ts";

export function addReviewCommands(program: Command, cli: Cli): void {
  const review = program.command("review").description("list and hide reviews (needs --reason to hide)");

  review
    .command("list <product_slug>")
    .description("list the reviews of a product, newest first, also those that are not shown")
    .option("--cursor <cursor>", "next_cursor of the previous page", "")
    .action(async (slug: string, { cursor }: { cursor: string }) => {
      const page = await cli.withCore(({ admin }) =>
        admin.ListProductReviews({ product_slug: slug, cursor }),
      );
      cli.show(
        page,
        listing(
          ["REVIEW", "ACCOUNT", "STARS", "HIDDEN", "WRITTEN", "NAME", "TEXT"],
          page.reviews.map((row) => [
            row.review_id,
            row.account_id,
            String(row.stars),
            row.hidden ? "yes" : "no",
            row.written_at,
            row.name,
            row.text,
          ]),
          { nothing: "no reviews", cursor: page.next_cursor },
        ),
      );
    });

  review
    .command("hide <review_id>")
    .description("hide a review from the page of its product; its author sees that support has hidden it")
    .option("--undo", "show it again", false)
    .action(async (reviewId: string, { undo }: { undo: boolean }) => {
      const stored = await cli.withCore(({ admin }) => admin.HideReview({ review_id: reviewId, undo }));
      const { review_id, product_slug, hidden } = stored;
      cli.show(stored, `${review_id} of ${product_slug} is ${hidden ? "hidden" : "not hidden"}`);
    });
}
