// atelier review list | hide
import type { Command } from "commander";
import type { Review } from "../../proto/types/atelier/v1/Review.ts";
import { type Columns, listing } from "../layout.ts";
import type { Cli } from "../session.ts";

export function addReviewCommands(program: Command, cli: Cli): void {
  const review = program.command("review").description("list and hide reviews (needs --reason to hide)");

  review
    .command("list <product_slug>")
    .description("list the reviews of a product, newest first, also those that are not shown")
    .option("--cursor <cursor>", "next_cursor of the previous page", "")
    .action((slug: string, page: { cursor: string }) =>
      cli.report(
        ({ admin }) => admin.ListProductReviews({ product_slug: slug, ...page }),
        ({ reviews, next_cursor: cursor }) => listing(reviews, COLUMNS, { nothing: "no reviews", cursor }),
      ),
    );

  review
    .command("hide <review_id>")
    .description("hide a review from the page of its product; its author sees that support has hidden it")
    .option("--undo", "show it again", false)
    .action((id: string, { undo }: { undo: boolean }) =>
      cli.report(
        ({ admin }) => admin.HideReview({ review_id: id, undo }),
        ({ review_id, product_slug, hidden }) =>
          `${review_id} of ${product_slug} is ${hidden ? "hidden" : "not hidden"}`,
      ),
    );
}

const COLUMNS: Columns<Review> = {
  REVIEW: "review_id",
  ACCOUNT: "account_id",
  STARS: "stars",
  HIDDEN: ({ hidden }) => (hidden ? "yes" : "no"),
  WRITTEN: "written_at",
  NAME: "name",
  TEXT: "text",
};
