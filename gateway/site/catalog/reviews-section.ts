// What owners say about a product, and the form for those who are signed in and own it.
import type { AppError } from "../../../proto/codes.ts";
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import { MAX_REVIEW, MAX_REVIEW_NAME, MAX_STARS } from "../../../proto/resources/review.ts";
import type { ListReviewsReply } from "../../../proto/types/atelier/v1/ListReviewsReply.ts";
import type { Review } from "../../../proto/types/atelier/v1/Review.ts";
import { actionForm, csrfField } from "../account/account-frame.ts";
import { badge } from "../design/badge.ts";
import { button } from "../design/button.ts";
import { select, textArea, textField } from "../design/field.ts";
import { counted } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { html, type Markup } from "../design/markup.js";
import { dateOf } from "../design/time.ts";
import { issueAt } from "../layout/error-words.ts";
import { productPath } from "../layout/product-paths.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Person } from "../session/current-person.ts";

/** A review as it was typed: one that was refused, or one that was kept over the sign-in. */
export type TypedReview = {
  typed: Pick<Review, "stars" | "text" | "name">;
  refusal?: AppError | undefined;
};

export type ReviewWriter = { person: Person; isOwner: boolean; draft?: TypedReview | undefined };

const STARS = Array.from({ length: MAX_STARS }, (_, i) => MAX_STARS - i);

const reviewPath = (slug: string) => `${productPath(slug)}/review`;

export function reviewsSection(
  { slug, rating_average: average, rating_count: ratings }: CatalogProductResource,
  { count, newest, own }: ListReviewsReply,
  writer: ReviewWriter | undefined,
): Markup {
  return html`<section class="stack" id="reviews" aria-labelledby="reviews-title">
    <h2 id="reviews-title">Reviews</h2>
    ${count === 0 && html`<p class="note">${average === null || ratings === 0 ? "No reviews yet." : `The ${average.toFixed(1)} of 5 stars are from ${counted(ratings, "rating")} without words, which came with the catalog.`} Owners can write a review here.</p>`}
    ${count > newest.length && html`<p class="note">The newest ${newest.length} of ${counted(count, "review")}</p>`}
    ${
      newest.length > 0 &&
      html`<ul class="stack reviews">
        ${newest.map((review) => html`<li>${shownReview(review)}</li>`)}
      </ul>`
    }
    ${writer && ownPart(slug, own, writer)}
  </section>`;
}

/** Other people's words can run in the other direction, which must not reach what surrounds them. */
function shownReview({ stars, text, name, written_at }: Review): Markup {
  return html`<p class="cluster">
      <span class="rating"
        >${icon("star")}${stars}<span class="aside-from-sight"> of ${MAX_STARS}</span></span
      >
      <bdi>${name === "" ? "An owner" : name}</bdi>
      ${badge({ label: "Verified owner", tone: "success" })} <span class="note">${dateOf(written_at)}</span>
    </p>
    ${text !== "" && html`<p class="reviews__text" dir="auto">${text}</p>`}`;
}

function ownPart(slug: string, own: Review | null, { person, isOwner, draft }: ReviewWriter): Markup {
  return html`${draft?.refusal && refusalNotice(draft.refusal)}
  ${own?.hidden && html`<p class="note">Support has hidden your review: only you see it.</p>`}
  ${own !== null && !isOwner && html`<p class="note">Your review is not shown, because you own this no longer.</p>`}
  ${isOwner && form(slug, own, { person, draft })}
  ${own !== null && actionForm(person, { action: `${reviewPath(slug)}/remove`, label: "Remove your review" })}`;
}

function form(
  slug: string,
  own: Review | null,
  { person, draft }: Pick<ReviewWriter, "person" | "draft">,
): Markup {
  const { stars, text, name } = draft?.typed ?? own ?? { stars: 0, text: "", name: "" };
  const errorOf = (field: string) => issueAt(draft?.refusal, field);
  return html`<form class="card stack" method="post" action=${`${reviewPath(slug)}#reviews`}>
    <h3>${own ? "Your review" : "Write a review"}</h3>
    ${csrfField(person)}
    ${select({
      name: "stars",
      label: "Stars",
      value: String(stars),
      options: [
        { value: "0", label: "Choose" },
        ...STARS.map((each) => ({ value: String(each), label: counted(each, "star") })),
      ],
      error: errorOf("stars"),
    })}
    ${textArea({ name: "text", label: "What others should know", value: text, maxLength: MAX_REVIEW, error: errorOf("text") })}
    ${textField({
      name: "name",
      label: "Your name",
      hint: "Everyone can read it. Without a name the review is by “An owner”.",
      value: name,
      maxLength: MAX_REVIEW_NAME,
      // The person comes back from the sign-in to this form, far down the page.
      isFirst: draft !== undefined && !draft.refusal,
      error: errorOf("name"),
    })}
    <p>${button({ label: own ? "Change" : "Publish", of: "your review" })}</p>
  </form>`;
}
