// Metadata for search engines and link previews of pages that people share: the canonical address, and Open Graph (ogp.me).
import { html, type Markup } from "../design/markup.js";
import { SITE_NAME } from "./site-name.ts";

type PictureFacts = { readonly type: string; readonly width: number; readonly height: number };
/** The facts of the pictures that the site draws for previews. */
const DRAWN: PictureFacts = { type: "image/png", width: 1200, height: 630 };

export type SharedPage = {
  readonly type: "website" | "product";
  readonly title: string;
  readonly description: string;
  /** Absolute addresses. A page without its own picture uses that of the site. */
  readonly baseUrl: string;
  readonly path: string;
  readonly image?: { readonly path: string; readonly alt: string } & Partial<PictureFacts>;
};

export function sharedHead({ type, title, description, baseUrl, path, image }: SharedPage): Markup[] {
  const { type: mimeType, width, height } = { ...DRAWN, ...image };
  const properties: [string, string][] = [
    ["og:type", type],
    ["og:site_name", SITE_NAME],
    ["og:title", title],
    ["og:description", description],
    ["og:url", baseUrl + path],
    ["og:image", baseUrl + (image?.path ?? "/social.png")],
    ["og:image:type", mimeType],
    ["og:image:width", String(width)],
    ["og:image:height", String(height)],
    ...(image ? [["og:image:alt", image.alt] as [string, string]] : []),
  ];
  return [
    html`<link rel="canonical" href=${baseUrl + path} />`,
    ...properties.map(([property, content]) => html`<meta property=${property} content=${content} />`),
    html`<meta name="twitter:card" content="summary_large_image" />`,
  ];
}
