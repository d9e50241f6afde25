// Original file: atelier/v1/catalog.proto

import type { ImportRowInput as _atelier_v1_ImportRowInput, ImportRow as _atelier_v1_ImportRow } from '../../atelier/v1/ImportRow.ts';

export interface ImportProductsRequestInput {
  /**
   * At most 1,000 rows and 900 KiB.
   */
  'rows'?: (_atelier_v1_ImportRowInput)[];
  /**
   * Checks and counts, writes nothing.
   */
  'dry_run'?: (boolean);
  /**
   * Adds categories, subcategories and tags that are not there yet, named after their slugs. Else they are findings.
   */
  'create_missing'?: (boolean);
}

export interface ImportProductsRequest {
  /**
   * At most 1,000 rows and 900 KiB.
   */
  'rows': (_atelier_v1_ImportRow)[];
  /**
   * Checks and counts, writes nothing.
   */
  'dry_run': (boolean);
  /**
   * Adds categories, subcategories and tags that are not there yet, named after their slugs. Else they are findings.
   */
  'create_missing': (boolean);
}
