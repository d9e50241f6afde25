// Original file: atelier/v1/catalog.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CatalogChangeInput as _atelier_v1_CatalogChangeInput, CatalogChange as _atelier_v1_CatalogChange } from '../../atelier/v1/CatalogChange.ts';
import type { CatalogStateInput as _atelier_v1_CatalogStateInput, CatalogState as _atelier_v1_CatalogState } from '../../atelier/v1/CatalogState.ts';
import type { GetProductReplyInput as _atelier_v1_GetProductReplyInput, GetProductReply as _atelier_v1_GetProductReply } from '../../atelier/v1/GetProductReply.ts';
import type { GetProductRequestInput as _atelier_v1_GetProductRequestInput, GetProductRequest as _atelier_v1_GetProductRequest } from '../../atelier/v1/GetProductRequest.ts';
import type { ListChangesRequestInput as _atelier_v1_ListChangesRequestInput, ListChangesRequest as _atelier_v1_ListChangesRequest } from '../../atelier/v1/ListChangesRequest.ts';
import type { ListOffersRequestInput as _atelier_v1_ListOffersRequestInput, ListOffersRequest as _atelier_v1_ListOffersRequest } from '../../atelier/v1/ListOffersRequest.ts';
import type { ListProductsReplyInput as _atelier_v1_ListProductsReplyInput, ListProductsReply as _atelier_v1_ListProductsReply } from '../../atelier/v1/ListProductsReply.ts';
import type { ListProductsRequestInput as _atelier_v1_ListProductsRequestInput, ListProductsRequest as _atelier_v1_ListProductsRequest } from '../../atelier/v1/ListProductsRequest.ts';
import type { ListSlugsReplyInput as _atelier_v1_ListSlugsReplyInput, ListSlugsReply as _atelier_v1_ListSlugsReply } from '../../atelier/v1/ListSlugsReply.ts';
import type { ListSlugsRequestInput as _atelier_v1_ListSlugsRequestInput, ListSlugsRequest as _atelier_v1_ListSlugsRequest } from '../../atelier/v1/ListSlugsRequest.ts';
import type { ListTaxonomyReplyInput as _atelier_v1_ListTaxonomyReplyInput, ListTaxonomyReply as _atelier_v1_ListTaxonomyReply } from '../../atelier/v1/ListTaxonomyReply.ts';
import type { ListTaxonomyRequestInput as _atelier_v1_ListTaxonomyRequestInput, ListTaxonomyRequest as _atelier_v1_ListTaxonomyRequest } from '../../atelier/v1/ListTaxonomyRequest.ts';
import type { OfferBatchInput as _atelier_v1_OfferBatchInput, OfferBatch as _atelier_v1_OfferBatch } from '../../atelier/v1/OfferBatch.ts';
import type { WatchCatalogRequestInput as _atelier_v1_WatchCatalogRequestInput, WatchCatalogRequest as _atelier_v1_WatchCatalogRequest } from '../../atelier/v1/WatchCatalogRequest.ts';

/**
 * The public catalog: read only, for callers that need no credential. Draft and archived products do not exist here.
 * Every method answers catalog_unavailable while core cannot vouch that what it knows is at most a second old, or all there is.
 */
export interface CatalogClient extends grpc.Client {
  /**
   * One product as ready JSON. product_not_found alike for an unknown slug and for a product that is not public.
   */
  GetProduct(argument: _atelier_v1_GetProductRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_GetProductReply>): grpc.ClientUnaryCall;
  GetProduct(argument: _atelier_v1_GetProductRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_GetProductReply>): grpc.ClientUnaryCall;
  GetProduct(argument: _atelier_v1_GetProductRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_GetProductReply>): grpc.ClientUnaryCall;
  GetProduct(argument: _atelier_v1_GetProductRequestInput, callback: grpc.requestCallback<_atelier_v1_GetProductReply>): grpc.ClientUnaryCall;
  /**
   * One product as ready JSON. product_not_found alike for an unknown slug and for a product that is not public.
   */
  getProduct(argument: _atelier_v1_GetProductRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_GetProductReply>): grpc.ClientUnaryCall;
  getProduct(argument: _atelier_v1_GetProductRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_GetProductReply>): grpc.ClientUnaryCall;
  getProduct(argument: _atelier_v1_GetProductRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_GetProductReply>): grpc.ClientUnaryCall;
  getProduct(argument: _atelier_v1_GetProductRequestInput, callback: grpc.requestCallback<_atelier_v1_GetProductReply>): grpc.ClientUnaryCall;
  
  /**
   * Everything that changed after a version, oldest first, then one checkpoint; the stream ends there.
   * invalid_request when `since` is newer than the catalog (another database, or one restored from a backup): begin again at 0.
   */
  ListChanges(argument: _atelier_v1_ListChangesRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_CatalogChange>;
  ListChanges(argument: _atelier_v1_ListChangesRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_CatalogChange>;
  /**
   * Everything that changed after a version, oldest first, then one checkpoint; the stream ends there.
   * invalid_request when `since` is newer than the catalog (another database, or one restored from a backup): begin again at 0.
   */
  listChanges(argument: _atelier_v1_ListChangesRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_CatalogChange>;
  listChanges(argument: _atelier_v1_ListChangesRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_CatalogChange>;
  
  /**
   * Everything that anybody can buy at this moment, by id, for feeds. The first message comes at once and has no offers: it says of which
   * state the offers are. A product that changes while the stream runs may come as it was before or after.
   */
  ListOffers(argument: _atelier_v1_ListOffersRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_OfferBatch>;
  ListOffers(argument: _atelier_v1_ListOffersRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_OfferBatch>;
  /**
   * Everything that anybody can buy at this moment, by id, for feeds. The first message comes at once and has no offers: it says of which
   * state the offers are. A product that changes while the stream runs may come as it was before or after.
   */
  listOffers(argument: _atelier_v1_ListOffersRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_OfferBatch>;
  listOffers(argument: _atelier_v1_ListOffersRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_OfferBatch>;
  
  /**
   * One page of products as ready JSON. invalid_request for an unknown sort or facet and for numbers out of range.
   */
  ListProducts(argument: _atelier_v1_ListProductsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProductsReply>): grpc.ClientUnaryCall;
  ListProducts(argument: _atelier_v1_ListProductsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListProductsReply>): grpc.ClientUnaryCall;
  ListProducts(argument: _atelier_v1_ListProductsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProductsReply>): grpc.ClientUnaryCall;
  ListProducts(argument: _atelier_v1_ListProductsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListProductsReply>): grpc.ClientUnaryCall;
  /**
   * One page of products as ready JSON. invalid_request for an unknown sort or facet and for numbers out of range.
   */
  listProducts(argument: _atelier_v1_ListProductsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProductsReply>): grpc.ClientUnaryCall;
  listProducts(argument: _atelier_v1_ListProductsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListProductsReply>): grpc.ClientUnaryCall;
  listProducts(argument: _atelier_v1_ListProductsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProductsReply>): grpc.ClientUnaryCall;
  listProducts(argument: _atelier_v1_ListProductsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListProductsReply>): grpc.ClientUnaryCall;
  
  /**
   * Slugs of all public products in a stable order, for site maps.
   */
  ListSlugs(argument: _atelier_v1_ListSlugsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSlugsReply>): grpc.ClientUnaryCall;
  ListSlugs(argument: _atelier_v1_ListSlugsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListSlugsReply>): grpc.ClientUnaryCall;
  ListSlugs(argument: _atelier_v1_ListSlugsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSlugsReply>): grpc.ClientUnaryCall;
  ListSlugs(argument: _atelier_v1_ListSlugsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListSlugsReply>): grpc.ClientUnaryCall;
  /**
   * Slugs of all public products in a stable order, for site maps.
   */
  listSlugs(argument: _atelier_v1_ListSlugsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSlugsReply>): grpc.ClientUnaryCall;
  listSlugs(argument: _atelier_v1_ListSlugsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListSlugsReply>): grpc.ClientUnaryCall;
  listSlugs(argument: _atelier_v1_ListSlugsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSlugsReply>): grpc.ClientUnaryCall;
  listSlugs(argument: _atelier_v1_ListSlugsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListSlugsReply>): grpc.ClientUnaryCall;
  
  /**
   * Categories and tags that have a public product, with names.
   */
  ListTaxonomy(argument: _atelier_v1_ListTaxonomyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTaxonomyReply>): grpc.ClientUnaryCall;
  ListTaxonomy(argument: _atelier_v1_ListTaxonomyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListTaxonomyReply>): grpc.ClientUnaryCall;
  ListTaxonomy(argument: _atelier_v1_ListTaxonomyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTaxonomyReply>): grpc.ClientUnaryCall;
  ListTaxonomy(argument: _atelier_v1_ListTaxonomyRequestInput, callback: grpc.requestCallback<_atelier_v1_ListTaxonomyReply>): grpc.ClientUnaryCall;
  /**
   * Categories and tags that have a public product, with names.
   */
  listTaxonomy(argument: _atelier_v1_ListTaxonomyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTaxonomyReply>): grpc.ClientUnaryCall;
  listTaxonomy(argument: _atelier_v1_ListTaxonomyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListTaxonomyReply>): grpc.ClientUnaryCall;
  listTaxonomy(argument: _atelier_v1_ListTaxonomyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTaxonomyReply>): grpc.ClientUnaryCall;
  listTaxonomy(argument: _atelier_v1_ListTaxonomyRequestInput, callback: grpc.requestCallback<_atelier_v1_ListTaxonomyReply>): grpc.ClientUnaryCall;
  
  /**
   * The state of the catalog at once, then whenever it changes, and at least twice a second in between. A reader that hears nothing
   * for a second must take it that core is gone, and ask for every page anew.
   */
  WatchCatalog(argument: _atelier_v1_WatchCatalogRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_CatalogState>;
  WatchCatalog(argument: _atelier_v1_WatchCatalogRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_CatalogState>;
  /**
   * The state of the catalog at once, then whenever it changes, and at least twice a second in between. A reader that hears nothing
   * for a second must take it that core is gone, and ask for every page anew.
   */
  watchCatalog(argument: _atelier_v1_WatchCatalogRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_CatalogState>;
  watchCatalog(argument: _atelier_v1_WatchCatalogRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_CatalogState>;
  
}

/**
 * The public catalog: read only, for callers that need no credential. Draft and archived products do not exist here.
 * Every method answers catalog_unavailable while core cannot vouch that what it knows is at most a second old, or all there is.
 */
export interface CatalogHandlers extends grpc.UntypedServiceImplementation {
  /**
   * One product as ready JSON. product_not_found alike for an unknown slug and for a product that is not public.
   */
  GetProduct: grpc.handleUnaryCall<_atelier_v1_GetProductRequest, _atelier_v1_GetProductReplyInput>;
  
  /**
   * Everything that changed after a version, oldest first, then one checkpoint; the stream ends there.
   * invalid_request when `since` is newer than the catalog (another database, or one restored from a backup): begin again at 0.
   */
  ListChanges: grpc.handleServerStreamingCall<_atelier_v1_ListChangesRequest, _atelier_v1_CatalogChangeInput>;
  
  /**
   * Everything that anybody can buy at this moment, by id, for feeds. The first message comes at once and has no offers: it says of which
   * state the offers are. A product that changes while the stream runs may come as it was before or after.
   */
  ListOffers: grpc.handleServerStreamingCall<_atelier_v1_ListOffersRequest, _atelier_v1_OfferBatchInput>;
  
  /**
   * One page of products as ready JSON. invalid_request for an unknown sort or facet and for numbers out of range.
   */
  ListProducts: grpc.handleUnaryCall<_atelier_v1_ListProductsRequest, _atelier_v1_ListProductsReplyInput>;
  
  /**
   * Slugs of all public products in a stable order, for site maps.
   */
  ListSlugs: grpc.handleUnaryCall<_atelier_v1_ListSlugsRequest, _atelier_v1_ListSlugsReplyInput>;
  
  /**
   * Categories and tags that have a public product, with names.
   */
  ListTaxonomy: grpc.handleUnaryCall<_atelier_v1_ListTaxonomyRequest, _atelier_v1_ListTaxonomyReplyInput>;
  
  /**
   * The state of the catalog at once, then whenever it changes, and at least twice a second in between. A reader that hears nothing
   * for a second must take it that core is gone, and ask for every page anew.
   */
  WatchCatalog: grpc.handleServerStreamingCall<_atelier_v1_WatchCatalogRequest, _atelier_v1_CatalogStateInput>;
  
}

export interface CatalogDefinition extends grpc.ServiceDefinition {
  GetProduct: MethodDefinition<_atelier_v1_GetProductRequestInput, _atelier_v1_GetProductReplyInput, _atelier_v1_GetProductRequest, _atelier_v1_GetProductReply>
  ListChanges: MethodDefinition<_atelier_v1_ListChangesRequestInput, _atelier_v1_CatalogChangeInput, _atelier_v1_ListChangesRequest, _atelier_v1_CatalogChange>
  ListOffers: MethodDefinition<_atelier_v1_ListOffersRequestInput, _atelier_v1_OfferBatchInput, _atelier_v1_ListOffersRequest, _atelier_v1_OfferBatch>
  ListProducts: MethodDefinition<_atelier_v1_ListProductsRequestInput, _atelier_v1_ListProductsReplyInput, _atelier_v1_ListProductsRequest, _atelier_v1_ListProductsReply>
  ListSlugs: MethodDefinition<_atelier_v1_ListSlugsRequestInput, _atelier_v1_ListSlugsReplyInput, _atelier_v1_ListSlugsRequest, _atelier_v1_ListSlugsReply>
  ListTaxonomy: MethodDefinition<_atelier_v1_ListTaxonomyRequestInput, _atelier_v1_ListTaxonomyReplyInput, _atelier_v1_ListTaxonomyRequest, _atelier_v1_ListTaxonomyReply>
  WatchCatalog: MethodDefinition<_atelier_v1_WatchCatalogRequestInput, _atelier_v1_CatalogStateInput, _atelier_v1_WatchCatalogRequest, _atelier_v1_CatalogState>
}
