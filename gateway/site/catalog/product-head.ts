// What search engines and link previews read of a product: what they read of any page, and linked data (JSON-LD).
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import { MAX_STARS } from "../../../proto/resources/review.ts";
import type { ListReviewsReply } from "../../../proto/types/atelier/v1/ListReviewsReply.ts";
import { html, type Markup } from "../design/markup.js";
import { productPath, socialPath } from "../layout/product-paths.ts";
import { sharedHead } from "../layout/shared-head.ts";
import { blurbOf } from "./ask-catalog.ts";

type Facts = { takesPayments: boolean; reviews: Pick<ListReviewsReply, "count" | "average"> };

export function productHead(
  product: CatalogProductResource,
  { baseUrl, ...facts }: Facts & { baseUrl: string },
): Markup[] {
  const { slug, name } = product;
  const url = baseUrl + productPath(slug);
  const image = baseUrl + socialPath(slug);
  return [
    ...sharedHead({
      type: "product",
      title: name,
      description: blurbOf(product),
      baseUrl,
      path: productPath(slug),
      image: { path: socialPath(slug), alt: `Cover of ${name}` },
    }),
    html`<script
      type="application/ld+json"
      dangerouslySetInnerHTML=${{ __html: linkedData(product, { url, image, ...facts }) }}
    ></script>`,
  ];
}

/** schema.org's Product. No "<" gets out of it, so that no text in it can end its element. */
function linkedData(
  product: CatalogProductResource,
  { url, image, takesPayments, reviews }: Facts & { url: string; image: string },
): string {
  const { id, name, category, effective_price: now } = product;
  const data = {
    "@context": "https://schema.org",
    "@type": "Product",
    sku: id,
    name,
    description: blurbOf(product),
    url,
    image,
    ...(category !== null && { category }),
    ...(now !== null && {
      offers: {
        "@type": "Offer",
        url,
        price: now,
        priceCurrency: "USD",
        availability: `https://schema.org/${availabilityOf(product, takesPayments)}`,
      },
    }),
    // Search engines want what the page itself shows: its reviews, not the rating that an operator has imported.
    ...(reviews.count > 0 && {
      aggregateRating: {
        "@type": "AggregateRating",
        ratingValue: reviews.average,
        reviewCount: reviews.count,
        bestRating: MAX_STARS,
      },
    }),
  };
  return JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
}

/** No one is sent here for what cannot be bought here. */
function availabilityOf(
  { status, effective_price: now }: CatalogProductResource,
  takesPayments: boolean,
): "PreOrder" | "InStock" | "OutOfStock" {
  if (status === "coming_soon") return "PreOrder";
  return now === 0 || takesPayments ? "InStock" : "OutOfStock";
}
