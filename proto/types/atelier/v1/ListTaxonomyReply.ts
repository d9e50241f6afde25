// Original file: atelier/v1/catalog.proto

import type { CategoryInput as _atelier_v1_CategoryInput, Category as _atelier_v1_Category } from '../../atelier/v1/Category.ts';
import type { TagInput as _atelier_v1_TagInput, Tag as _atelier_v1_Tag } from '../../atelier/v1/Tag.ts';
import type { PricingTierInput as _atelier_v1_PricingTierInput, PricingTier as _atelier_v1_PricingTier } from '../../atelier/v1/PricingTier.ts';

export interface ListTaxonomyReplyInput {
  'revision'?: (string);
  /**
   * Products: public ones. By slug.
   */
  'categories'?: (_atelier_v1_CategoryInput)[];
  'tags'?: (_atelier_v1_TagInput)[];
  'pricing_tiers'?: (_atelier_v1_PricingTierInput)[];
}

export interface ListTaxonomyReply {
  'revision': (string);
  /**
   * Products: public ones. By slug.
   */
  'categories': (_atelier_v1_Category)[];
  'tags': (_atelier_v1_Tag)[];
  'pricing_tiers': (_atelier_v1_PricingTier)[];
}
