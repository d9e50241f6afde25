// Original file: atelier/v1/catalog.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CategoryInput as _atelier_v1_CategoryInput, Category as _atelier_v1_Category } from '../../atelier/v1/Category.ts';
import type { ExportProductsRequestInput as _atelier_v1_ExportProductsRequestInput, ExportProductsRequest as _atelier_v1_ExportProductsRequest } from '../../atelier/v1/ExportProductsRequest.ts';
import type { ExportedProductInput as _atelier_v1_ExportedProductInput, ExportedProduct as _atelier_v1_ExportedProduct } from '../../atelier/v1/ExportedProduct.ts';
import type { ImportProductsReplyInput as _atelier_v1_ImportProductsReplyInput, ImportProductsReply as _atelier_v1_ImportProductsReply } from '../../atelier/v1/ImportProductsReply.ts';
import type { ImportProductsRequestInput as _atelier_v1_ImportProductsRequestInput, ImportProductsRequest as _atelier_v1_ImportProductsRequest } from '../../atelier/v1/ImportProductsRequest.ts';
import type { ListCategoriesReplyInput as _atelier_v1_ListCategoriesReplyInput, ListCategoriesReply as _atelier_v1_ListCategoriesReply } from '../../atelier/v1/ListCategoriesReply.ts';
import type { ListCategoriesRequestInput as _atelier_v1_ListCategoriesRequestInput, ListCategoriesRequest as _atelier_v1_ListCategoriesRequest } from '../../atelier/v1/ListCategoriesRequest.ts';
import type { ListTagsReplyInput as _atelier_v1_ListTagsReplyInput, ListTagsReply as _atelier_v1_ListTagsReply } from '../../atelier/v1/ListTagsReply.ts';
import type { ListTagsRequestInput as _atelier_v1_ListTagsRequestInput, ListTagsRequest as _atelier_v1_ListTagsRequest } from '../../atelier/v1/ListTagsRequest.ts';
import type { PutCategoryRequestInput as _atelier_v1_PutCategoryRequestInput, PutCategoryRequest as _atelier_v1_PutCategoryRequest } from '../../atelier/v1/PutCategoryRequest.ts';
import type { PutTagRequestInput as _atelier_v1_PutTagRequestInput, PutTagRequest as _atelier_v1_PutTagRequest } from '../../atelier/v1/PutTagRequest.ts';
import type { RemoveCategoryReplyInput as _atelier_v1_RemoveCategoryReplyInput, RemoveCategoryReply as _atelier_v1_RemoveCategoryReply } from '../../atelier/v1/RemoveCategoryReply.ts';
import type { RemoveCategoryRequestInput as _atelier_v1_RemoveCategoryRequestInput, RemoveCategoryRequest as _atelier_v1_RemoveCategoryRequest } from '../../atelier/v1/RemoveCategoryRequest.ts';
import type { RemoveTagReplyInput as _atelier_v1_RemoveTagReplyInput, RemoveTagReply as _atelier_v1_RemoveTagReply } from '../../atelier/v1/RemoveTagReply.ts';
import type { RemoveTagRequestInput as _atelier_v1_RemoveTagRequestInput, RemoveTagRequest as _atelier_v1_RemoveTagRequest } from '../../atelier/v1/RemoveTagRequest.ts';
import type { SetProductStatusReplyInput as _atelier_v1_SetProductStatusReplyInput, SetProductStatusReply as _atelier_v1_SetProductStatusReply } from '../../atelier/v1/SetProductStatusReply.ts';
import type { SetProductStatusRequestInput as _atelier_v1_SetProductStatusRequestInput, SetProductStatusRequest as _atelier_v1_SetProductStatusRequest } from '../../atelier/v1/SetProductStatusRequest.ts';
import type { TagInput as _atelier_v1_TagInput, Tag as _atelier_v1_Tag } from '../../atelier/v1/Tag.ts';

/**
 * Products, categories and tags for operators. Callable only with a service token that has the CatalogAdmin scope.
 */
export interface CatalogAdminClient extends grpc.Client {
  /**
   * Every product in the form that ImportProducts reads, ordered by slug. Private fields too.
   */
  ExportProducts(argument: _atelier_v1_ExportProductsRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ExportedProduct>;
  ExportProducts(argument: _atelier_v1_ExportProductsRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ExportedProduct>;
  /**
   * Every product in the form that ImportProducts reads, ordered by slug. Private fields too.
   */
  exportProducts(argument: _atelier_v1_ExportProductsRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ExportedProduct>;
  exportProducts(argument: _atelier_v1_ExportProductsRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ExportedProduct>;
  
  /**
   * Upserts one batch by slug: all of it or, when there is a finding, nothing. The same batch again changes nothing.
   */
  ImportProducts(argument: _atelier_v1_ImportProductsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ImportProductsReply>): grpc.ClientUnaryCall;
  ImportProducts(argument: _atelier_v1_ImportProductsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ImportProductsReply>): grpc.ClientUnaryCall;
  ImportProducts(argument: _atelier_v1_ImportProductsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ImportProductsReply>): grpc.ClientUnaryCall;
  ImportProducts(argument: _atelier_v1_ImportProductsRequestInput, callback: grpc.requestCallback<_atelier_v1_ImportProductsReply>): grpc.ClientUnaryCall;
  /**
   * Upserts one batch by slug: all of it or, when there is a finding, nothing. The same batch again changes nothing.
   */
  importProducts(argument: _atelier_v1_ImportProductsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ImportProductsReply>): grpc.ClientUnaryCall;
  importProducts(argument: _atelier_v1_ImportProductsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ImportProductsReply>): grpc.ClientUnaryCall;
  importProducts(argument: _atelier_v1_ImportProductsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ImportProductsReply>): grpc.ClientUnaryCall;
  importProducts(argument: _atelier_v1_ImportProductsRequestInput, callback: grpc.requestCallback<_atelier_v1_ImportProductsReply>): grpc.ClientUnaryCall;
  
  ListCategories(argument: _atelier_v1_ListCategoriesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListCategoriesReply>): grpc.ClientUnaryCall;
  ListCategories(argument: _atelier_v1_ListCategoriesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListCategoriesReply>): grpc.ClientUnaryCall;
  ListCategories(argument: _atelier_v1_ListCategoriesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListCategoriesReply>): grpc.ClientUnaryCall;
  ListCategories(argument: _atelier_v1_ListCategoriesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListCategoriesReply>): grpc.ClientUnaryCall;
  listCategories(argument: _atelier_v1_ListCategoriesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListCategoriesReply>): grpc.ClientUnaryCall;
  listCategories(argument: _atelier_v1_ListCategoriesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListCategoriesReply>): grpc.ClientUnaryCall;
  listCategories(argument: _atelier_v1_ListCategoriesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListCategoriesReply>): grpc.ClientUnaryCall;
  listCategories(argument: _atelier_v1_ListCategoriesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListCategoriesReply>): grpc.ClientUnaryCall;
  
  ListTags(argument: _atelier_v1_ListTagsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTagsReply>): grpc.ClientUnaryCall;
  ListTags(argument: _atelier_v1_ListTagsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListTagsReply>): grpc.ClientUnaryCall;
  ListTags(argument: _atelier_v1_ListTagsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTagsReply>): grpc.ClientUnaryCall;
  ListTags(argument: _atelier_v1_ListTagsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListTagsReply>): grpc.ClientUnaryCall;
  listTags(argument: _atelier_v1_ListTagsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTagsReply>): grpc.ClientUnaryCall;
  listTags(argument: _atelier_v1_ListTagsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListTagsReply>): grpc.ClientUnaryCall;
  listTags(argument: _atelier_v1_ListTagsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTagsReply>): grpc.ClientUnaryCall;
  listTags(argument: _atelier_v1_ListTagsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListTagsReply>): grpc.ClientUnaryCall;
  
  /**
   * Adds it or changes its name. The parent of a category that has products or children cannot change.
   */
  PutCategory(argument: _atelier_v1_PutCategoryRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Category>): grpc.ClientUnaryCall;
  PutCategory(argument: _atelier_v1_PutCategoryRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Category>): grpc.ClientUnaryCall;
  PutCategory(argument: _atelier_v1_PutCategoryRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Category>): grpc.ClientUnaryCall;
  PutCategory(argument: _atelier_v1_PutCategoryRequestInput, callback: grpc.requestCallback<_atelier_v1_Category>): grpc.ClientUnaryCall;
  /**
   * Adds it or changes its name. The parent of a category that has products or children cannot change.
   */
  putCategory(argument: _atelier_v1_PutCategoryRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Category>): grpc.ClientUnaryCall;
  putCategory(argument: _atelier_v1_PutCategoryRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Category>): grpc.ClientUnaryCall;
  putCategory(argument: _atelier_v1_PutCategoryRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Category>): grpc.ClientUnaryCall;
  putCategory(argument: _atelier_v1_PutCategoryRequestInput, callback: grpc.requestCallback<_atelier_v1_Category>): grpc.ClientUnaryCall;
  
  PutTag(argument: _atelier_v1_PutTagRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Tag>): grpc.ClientUnaryCall;
  PutTag(argument: _atelier_v1_PutTagRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Tag>): grpc.ClientUnaryCall;
  PutTag(argument: _atelier_v1_PutTagRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Tag>): grpc.ClientUnaryCall;
  PutTag(argument: _atelier_v1_PutTagRequestInput, callback: grpc.requestCallback<_atelier_v1_Tag>): grpc.ClientUnaryCall;
  putTag(argument: _atelier_v1_PutTagRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Tag>): grpc.ClientUnaryCall;
  putTag(argument: _atelier_v1_PutTagRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Tag>): grpc.ClientUnaryCall;
  putTag(argument: _atelier_v1_PutTagRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Tag>): grpc.ClientUnaryCall;
  putTag(argument: _atelier_v1_PutTagRequestInput, callback: grpc.requestCallback<_atelier_v1_Tag>): grpc.ClientUnaryCall;
  
  /**
   * invalid_request while a product or another category still names it; not_found when there is none.
   */
  RemoveCategory(argument: _atelier_v1_RemoveCategoryRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RemoveCategoryReply>): grpc.ClientUnaryCall;
  RemoveCategory(argument: _atelier_v1_RemoveCategoryRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RemoveCategoryReply>): grpc.ClientUnaryCall;
  RemoveCategory(argument: _atelier_v1_RemoveCategoryRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RemoveCategoryReply>): grpc.ClientUnaryCall;
  RemoveCategory(argument: _atelier_v1_RemoveCategoryRequestInput, callback: grpc.requestCallback<_atelier_v1_RemoveCategoryReply>): grpc.ClientUnaryCall;
  /**
   * invalid_request while a product or another category still names it; not_found when there is none.
   */
  removeCategory(argument: _atelier_v1_RemoveCategoryRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RemoveCategoryReply>): grpc.ClientUnaryCall;
  removeCategory(argument: _atelier_v1_RemoveCategoryRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RemoveCategoryReply>): grpc.ClientUnaryCall;
  removeCategory(argument: _atelier_v1_RemoveCategoryRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RemoveCategoryReply>): grpc.ClientUnaryCall;
  removeCategory(argument: _atelier_v1_RemoveCategoryRequestInput, callback: grpc.requestCallback<_atelier_v1_RemoveCategoryReply>): grpc.ClientUnaryCall;
  
  /**
   * invalid_request while a product still names it; not_found when there is none.
   */
  RemoveTag(argument: _atelier_v1_RemoveTagRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RemoveTagReply>): grpc.ClientUnaryCall;
  RemoveTag(argument: _atelier_v1_RemoveTagRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RemoveTagReply>): grpc.ClientUnaryCall;
  RemoveTag(argument: _atelier_v1_RemoveTagRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RemoveTagReply>): grpc.ClientUnaryCall;
  RemoveTag(argument: _atelier_v1_RemoveTagRequestInput, callback: grpc.requestCallback<_atelier_v1_RemoveTagReply>): grpc.ClientUnaryCall;
  /**
   * invalid_request while a product still names it; not_found when there is none.
   */
  removeTag(argument: _atelier_v1_RemoveTagRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RemoveTagReply>): grpc.ClientUnaryCall;
  removeTag(argument: _atelier_v1_RemoveTagRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RemoveTagReply>): grpc.ClientUnaryCall;
  removeTag(argument: _atelier_v1_RemoveTagRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RemoveTagReply>): grpc.ClientUnaryCall;
  removeTag(argument: _atelier_v1_RemoveTagRequestInput, callback: grpc.requestCallback<_atelier_v1_RemoveTagReply>): grpc.ClientUnaryCall;
  
  /**
   * not_found when no product has this slug.
   */
  SetProductStatus(argument: _atelier_v1_SetProductStatusRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SetProductStatusReply>): grpc.ClientUnaryCall;
  SetProductStatus(argument: _atelier_v1_SetProductStatusRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SetProductStatusReply>): grpc.ClientUnaryCall;
  SetProductStatus(argument: _atelier_v1_SetProductStatusRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SetProductStatusReply>): grpc.ClientUnaryCall;
  SetProductStatus(argument: _atelier_v1_SetProductStatusRequestInput, callback: grpc.requestCallback<_atelier_v1_SetProductStatusReply>): grpc.ClientUnaryCall;
  /**
   * not_found when no product has this slug.
   */
  setProductStatus(argument: _atelier_v1_SetProductStatusRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SetProductStatusReply>): grpc.ClientUnaryCall;
  setProductStatus(argument: _atelier_v1_SetProductStatusRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SetProductStatusReply>): grpc.ClientUnaryCall;
  setProductStatus(argument: _atelier_v1_SetProductStatusRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SetProductStatusReply>): grpc.ClientUnaryCall;
  setProductStatus(argument: _atelier_v1_SetProductStatusRequestInput, callback: grpc.requestCallback<_atelier_v1_SetProductStatusReply>): grpc.ClientUnaryCall;
  
}

/**
 * Products, categories and tags for operators. Callable only with a service token that has the CatalogAdmin scope.
 */
export interface CatalogAdminHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Every product in the form that ImportProducts reads, ordered by slug. Private fields too.
   */
  ExportProducts: grpc.handleServerStreamingCall<_atelier_v1_ExportProductsRequest, _atelier_v1_ExportedProductInput>;
  
  /**
   * Upserts one batch by slug: all of it or, when there is a finding, nothing. The same batch again changes nothing.
   */
  ImportProducts: grpc.handleUnaryCall<_atelier_v1_ImportProductsRequest, _atelier_v1_ImportProductsReplyInput>;
  
  ListCategories: grpc.handleUnaryCall<_atelier_v1_ListCategoriesRequest, _atelier_v1_ListCategoriesReplyInput>;
  
  ListTags: grpc.handleUnaryCall<_atelier_v1_ListTagsRequest, _atelier_v1_ListTagsReplyInput>;
  
  /**
   * Adds it or changes its name. The parent of a category that has products or children cannot change.
   */
  PutCategory: grpc.handleUnaryCall<_atelier_v1_PutCategoryRequest, _atelier_v1_CategoryInput>;
  
  PutTag: grpc.handleUnaryCall<_atelier_v1_PutTagRequest, _atelier_v1_TagInput>;
  
  /**
   * invalid_request while a product or another category still names it; not_found when there is none.
   */
  RemoveCategory: grpc.handleUnaryCall<_atelier_v1_RemoveCategoryRequest, _atelier_v1_RemoveCategoryReplyInput>;
  
  /**
   * invalid_request while a product still names it; not_found when there is none.
   */
  RemoveTag: grpc.handleUnaryCall<_atelier_v1_RemoveTagRequest, _atelier_v1_RemoveTagReplyInput>;
  
  /**
   * not_found when no product has this slug.
   */
  SetProductStatus: grpc.handleUnaryCall<_atelier_v1_SetProductStatusRequest, _atelier_v1_SetProductStatusReplyInput>;
  
}

export interface CatalogAdminDefinition extends grpc.ServiceDefinition {
  ExportProducts: MethodDefinition<_atelier_v1_ExportProductsRequestInput, _atelier_v1_ExportedProductInput, _atelier_v1_ExportProductsRequest, _atelier_v1_ExportedProduct>
  ImportProducts: MethodDefinition<_atelier_v1_ImportProductsRequestInput, _atelier_v1_ImportProductsReplyInput, _atelier_v1_ImportProductsRequest, _atelier_v1_ImportProductsReply>
  ListCategories: MethodDefinition<_atelier_v1_ListCategoriesRequestInput, _atelier_v1_ListCategoriesReplyInput, _atelier_v1_ListCategoriesRequest, _atelier_v1_ListCategoriesReply>
  ListTags: MethodDefinition<_atelier_v1_ListTagsRequestInput, _atelier_v1_ListTagsReplyInput, _atelier_v1_ListTagsRequest, _atelier_v1_ListTagsReply>
  PutCategory: MethodDefinition<_atelier_v1_PutCategoryRequestInput, _atelier_v1_CategoryInput, _atelier_v1_PutCategoryRequest, _atelier_v1_Category>
  PutTag: MethodDefinition<_atelier_v1_PutTagRequestInput, _atelier_v1_TagInput, _atelier_v1_PutTagRequest, _atelier_v1_Tag>
  RemoveCategory: MethodDefinition<_atelier_v1_RemoveCategoryRequestInput, _atelier_v1_RemoveCategoryReplyInput, _atelier_v1_RemoveCategoryRequest, _atelier_v1_RemoveCategoryReply>
  RemoveTag: MethodDefinition<_atelier_v1_RemoveTagRequestInput, _atelier_v1_RemoveTagReplyInput, _atelier_v1_RemoveTagRequest, _atelier_v1_RemoveTagReply>
  SetProductStatus: MethodDefinition<_atelier_v1_SetProductStatusRequestInput, _atelier_v1_SetProductStatusReplyInput, _atelier_v1_SetProductStatusRequest, _atelier_v1_SetProductStatusReply>
}
