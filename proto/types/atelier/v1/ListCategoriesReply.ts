// Original file: atelier/v1/catalog.proto

import type { CategoryInput as _atelier_v1_CategoryInput, Category as _atelier_v1_Category } from '../../atelier/v1/Category.ts';

export interface ListCategoriesReplyInput {
  /**
   * Products of every status are counted.
   */
  'categories'?: (_atelier_v1_CategoryInput)[];
}

export interface ListCategoriesReply {
  /**
   * Products of every status are counted.
   */
  'categories': (_atelier_v1_Category)[];
}
