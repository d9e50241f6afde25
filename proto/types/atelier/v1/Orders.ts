// Original file: atelier/v1/orders.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CheckoutPageInput as _atelier_v1_CheckoutPageInput, CheckoutPage as _atelier_v1_CheckoutPage } from '../../atelier/v1/CheckoutPage.ts';
import type { DemoCheckoutInput as _atelier_v1_DemoCheckoutInput, DemoCheckout as _atelier_v1_DemoCheckout } from '../../atelier/v1/DemoCheckout.ts';
import type { DemoCheckoutRequestInput as _atelier_v1_DemoCheckoutRequestInput, DemoCheckoutRequest as _atelier_v1_DemoCheckoutRequest } from '../../atelier/v1/DemoCheckoutRequest.ts';
import type { DescribeShopRequestInput as _atelier_v1_DescribeShopRequestInput, DescribeShopRequest as _atelier_v1_DescribeShopRequest } from '../../atelier/v1/DescribeShopRequest.ts';
import type { ListOrdersReplyInput as _atelier_v1_ListOrdersReplyInput, ListOrdersReply as _atelier_v1_ListOrdersReply } from '../../atelier/v1/ListOrdersReply.ts';
import type { ListOrdersRequestInput as _atelier_v1_ListOrdersRequestInput, ListOrdersRequest as _atelier_v1_ListOrdersRequest } from '../../atelier/v1/ListOrdersRequest.ts';
import type { ListPacksReplyInput as _atelier_v1_ListPacksReplyInput, ListPacksReply as _atelier_v1_ListPacksReply } from '../../atelier/v1/ListPacksReply.ts';
import type { ListPacksRequestInput as _atelier_v1_ListPacksRequestInput, ListPacksRequest as _atelier_v1_ListPacksRequest } from '../../atelier/v1/ListPacksRequest.ts';
import type { OrderInput as _atelier_v1_OrderInput, Order as _atelier_v1_Order } from '../../atelier/v1/Order.ts';
import type { OrderRequestInput as _atelier_v1_OrderRequestInput, OrderRequest as _atelier_v1_OrderRequest } from '../../atelier/v1/OrderRequest.ts';
import type { PlaceOrderRequestInput as _atelier_v1_PlaceOrderRequestInput, PlaceOrderRequest as _atelier_v1_PlaceOrderRequest } from '../../atelier/v1/PlaceOrderRequest.ts';
import type { PressDemoCheckoutRequestInput as _atelier_v1_PressDemoCheckoutRequestInput, PressDemoCheckoutRequest as _atelier_v1_PressDemoCheckoutRequest } from '../../atelier/v1/PressDemoCheckoutRequest.ts';
import type { ShopInput as _atelier_v1_ShopInput, Shop as _atelier_v1_Shop } from '../../atelier/v1/Shop.ts';
import type { StartCheckoutRequestInput as _atelier_v1_StartCheckoutRequestInput, StartCheckoutRequest as _atelier_v1_StartCheckoutRequest } from '../../atelier/v1/StartCheckoutRequest.ts';
import type { TakePaymentEventReplyInput as _atelier_v1_TakePaymentEventReplyInput, TakePaymentEventReply as _atelier_v1_TakePaymentEventReply } from '../../atelier/v1/TakePaymentEventReply.ts';
import type { TakePaymentEventRequestInput as _atelier_v1_TakePaymentEventRequestInput, TakePaymentEventRequest as _atelier_v1_TakePaymentEventRequest } from '../../atelier/v1/TakePaymentEventRequest.ts';

/**
 * What people buy. All but DescribeShop, ListPacks and TakePaymentEvent are for the signed-in person; no key and no tool buys.
 */
export interface OrdersClient extends grpc.Client {
  /**
   * Errors: not_found, order_conflict (it is paid, or over), service_unavailable.
   */
  CancelOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  CancelOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  CancelOrder(argument: _atelier_v1_OrderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  CancelOrder(argument: _atelier_v1_OrderRequestInput, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  /**
   * Errors: not_found, order_conflict (it is paid, or over), service_unavailable.
   */
  cancelOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  cancelOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  cancelOrder(argument: _atelier_v1_OrderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  cancelOrder(argument: _atelier_v1_OrderRequestInput, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  
  /**
   * Whether anything that costs money can be bought here: told without the database. Needs no caller.
   */
  DescribeShop(argument: _atelier_v1_DescribeShopRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Shop>): grpc.ClientUnaryCall;
  DescribeShop(argument: _atelier_v1_DescribeShopRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Shop>): grpc.ClientUnaryCall;
  DescribeShop(argument: _atelier_v1_DescribeShopRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Shop>): grpc.ClientUnaryCall;
  DescribeShop(argument: _atelier_v1_DescribeShopRequestInput, callback: grpc.requestCallback<_atelier_v1_Shop>): grpc.ClientUnaryCall;
  /**
   * Whether anything that costs money can be bought here: told without the database. Needs no caller.
   */
  describeShop(argument: _atelier_v1_DescribeShopRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Shop>): grpc.ClientUnaryCall;
  describeShop(argument: _atelier_v1_DescribeShopRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Shop>): grpc.ClientUnaryCall;
  describeShop(argument: _atelier_v1_DescribeShopRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Shop>): grpc.ClientUnaryCall;
  describeShop(argument: _atelier_v1_DescribeShopRequestInput, callback: grpc.requestCallback<_atelier_v1_Shop>): grpc.ClientUnaryCall;
  
  /**
   * What the page of the demo provider shows. Errors: not_found.
   */
  GetDemoCheckout(argument: _atelier_v1_DemoCheckoutRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  GetDemoCheckout(argument: _atelier_v1_DemoCheckoutRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  GetDemoCheckout(argument: _atelier_v1_DemoCheckoutRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  GetDemoCheckout(argument: _atelier_v1_DemoCheckoutRequestInput, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  /**
   * What the page of the demo provider shows. Errors: not_found.
   */
  getDemoCheckout(argument: _atelier_v1_DemoCheckoutRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  getDemoCheckout(argument: _atelier_v1_DemoCheckoutRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  getDemoCheckout(argument: _atelier_v1_DemoCheckoutRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  getDemoCheckout(argument: _atelier_v1_DemoCheckoutRequestInput, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  
  GetOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  GetOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  GetOrder(argument: _atelier_v1_OrderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  GetOrder(argument: _atelier_v1_OrderRequestInput, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  getOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  getOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  getOrder(argument: _atelier_v1_OrderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  getOrder(argument: _atelier_v1_OrderRequestInput, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  
  /**
   * Newest first.
   */
  ListOrders(argument: _atelier_v1_ListOrdersRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  ListOrders(argument: _atelier_v1_ListOrdersRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  ListOrders(argument: _atelier_v1_ListOrdersRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  ListOrders(argument: _atelier_v1_ListOrdersRequestInput, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  /**
   * Newest first.
   */
  listOrders(argument: _atelier_v1_ListOrdersRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  listOrders(argument: _atelier_v1_ListOrdersRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  listOrders(argument: _atelier_v1_ListOrdersRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  listOrders(argument: _atelier_v1_ListOrdersRequestInput, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  
  /**
   * The credit packs that are sold, the smallest first. Needs no caller.
   */
  ListPacks(argument: _atelier_v1_ListPacksRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListPacksReply>): grpc.ClientUnaryCall;
  ListPacks(argument: _atelier_v1_ListPacksRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListPacksReply>): grpc.ClientUnaryCall;
  ListPacks(argument: _atelier_v1_ListPacksRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListPacksReply>): grpc.ClientUnaryCall;
  ListPacks(argument: _atelier_v1_ListPacksRequestInput, callback: grpc.requestCallback<_atelier_v1_ListPacksReply>): grpc.ClientUnaryCall;
  /**
   * The credit packs that are sold, the smallest first. Needs no caller.
   */
  listPacks(argument: _atelier_v1_ListPacksRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListPacksReply>): grpc.ClientUnaryCall;
  listPacks(argument: _atelier_v1_ListPacksRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListPacksReply>): grpc.ClientUnaryCall;
  listPacks(argument: _atelier_v1_ListPacksRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListPacksReply>): grpc.ClientUnaryCall;
  listPacks(argument: _atelier_v1_ListPacksRequestInput, callback: grpc.requestCallback<_atelier_v1_ListPacksReply>): grpc.ClientUnaryCall;
  
  /**
   * One order for each idempotency key. What costs nothing is fulfilled at once.
   * Errors: invalid_request, product_not_found, not_for_sale, already_owned, membership_required, price_changed, idempotency_mismatch.
   */
  PlaceOrder(argument: _atelier_v1_PlaceOrderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  PlaceOrder(argument: _atelier_v1_PlaceOrderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  PlaceOrder(argument: _atelier_v1_PlaceOrderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  PlaceOrder(argument: _atelier_v1_PlaceOrderRequestInput, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  /**
   * One order for each idempotency key. What costs nothing is fulfilled at once.
   * Errors: invalid_request, product_not_found, not_for_sale, already_owned, membership_required, price_changed, idempotency_mismatch.
   */
  placeOrder(argument: _atelier_v1_PlaceOrderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  placeOrder(argument: _atelier_v1_PlaceOrderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  placeOrder(argument: _atelier_v1_PlaceOrderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  placeOrder(argument: _atelier_v1_PlaceOrderRequestInput, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  
  /**
   * What was pressed on it. Once it has ended, pressing changes nothing.
   */
  PressDemoCheckout(argument: _atelier_v1_PressDemoCheckoutRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  PressDemoCheckout(argument: _atelier_v1_PressDemoCheckoutRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  PressDemoCheckout(argument: _atelier_v1_PressDemoCheckoutRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  PressDemoCheckout(argument: _atelier_v1_PressDemoCheckoutRequestInput, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  /**
   * What was pressed on it. Once it has ended, pressing changes nothing.
   */
  pressDemoCheckout(argument: _atelier_v1_PressDemoCheckoutRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  pressDemoCheckout(argument: _atelier_v1_PressDemoCheckoutRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  pressDemoCheckout(argument: _atelier_v1_PressDemoCheckoutRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  pressDemoCheckout(argument: _atelier_v1_PressDemoCheckoutRequestInput, callback: grpc.requestCallback<_atelier_v1_DemoCheckout>): grpc.ClientUnaryCall;
  
  /**
   * Where the person pays for it. Errors: not_found, order_not_payable, price_changed, service_unavailable (the provider is away).
   */
  StartCheckout(argument: _atelier_v1_StartCheckoutRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CheckoutPage>): grpc.ClientUnaryCall;
  StartCheckout(argument: _atelier_v1_StartCheckoutRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CheckoutPage>): grpc.ClientUnaryCall;
  StartCheckout(argument: _atelier_v1_StartCheckoutRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CheckoutPage>): grpc.ClientUnaryCall;
  StartCheckout(argument: _atelier_v1_StartCheckoutRequestInput, callback: grpc.requestCallback<_atelier_v1_CheckoutPage>): grpc.ClientUnaryCall;
  /**
   * Where the person pays for it. Errors: not_found, order_not_payable, price_changed, service_unavailable (the provider is away).
   */
  startCheckout(argument: _atelier_v1_StartCheckoutRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CheckoutPage>): grpc.ClientUnaryCall;
  startCheckout(argument: _atelier_v1_StartCheckoutRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CheckoutPage>): grpc.ClientUnaryCall;
  startCheckout(argument: _atelier_v1_StartCheckoutRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CheckoutPage>): grpc.ClientUnaryCall;
  startCheckout(argument: _atelier_v1_StartCheckoutRequestInput, callback: grpc.requestCallback<_atelier_v1_CheckoutPage>): grpc.ClientUnaryCall;
  
  /**
   * An event of a payment provider, exactly as it came. Safe to repeat. Errors: not_found (no such provider), invalid_signature.
   */
  TakePaymentEvent(argument: _atelier_v1_TakePaymentEventRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakePaymentEventReply>): grpc.ClientUnaryCall;
  TakePaymentEvent(argument: _atelier_v1_TakePaymentEventRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_TakePaymentEventReply>): grpc.ClientUnaryCall;
  TakePaymentEvent(argument: _atelier_v1_TakePaymentEventRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakePaymentEventReply>): grpc.ClientUnaryCall;
  TakePaymentEvent(argument: _atelier_v1_TakePaymentEventRequestInput, callback: grpc.requestCallback<_atelier_v1_TakePaymentEventReply>): grpc.ClientUnaryCall;
  /**
   * An event of a payment provider, exactly as it came. Safe to repeat. Errors: not_found (no such provider), invalid_signature.
   */
  takePaymentEvent(argument: _atelier_v1_TakePaymentEventRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakePaymentEventReply>): grpc.ClientUnaryCall;
  takePaymentEvent(argument: _atelier_v1_TakePaymentEventRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_TakePaymentEventReply>): grpc.ClientUnaryCall;
  takePaymentEvent(argument: _atelier_v1_TakePaymentEventRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakePaymentEventReply>): grpc.ClientUnaryCall;
  takePaymentEvent(argument: _atelier_v1_TakePaymentEventRequestInput, callback: grpc.requestCallback<_atelier_v1_TakePaymentEventReply>): grpc.ClientUnaryCall;
  
}

/**
 * What people buy. All but DescribeShop, ListPacks and TakePaymentEvent are for the signed-in person; no key and no tool buys.
 */
export interface OrdersHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Errors: not_found, order_conflict (it is paid, or over), service_unavailable.
   */
  CancelOrder: grpc.handleUnaryCall<_atelier_v1_OrderRequest, _atelier_v1_OrderInput>;
  
  /**
   * Whether anything that costs money can be bought here: told without the database. Needs no caller.
   */
  DescribeShop: grpc.handleUnaryCall<_atelier_v1_DescribeShopRequest, _atelier_v1_ShopInput>;
  
  /**
   * What the page of the demo provider shows. Errors: not_found.
   */
  GetDemoCheckout: grpc.handleUnaryCall<_atelier_v1_DemoCheckoutRequest, _atelier_v1_DemoCheckoutInput>;
  
  GetOrder: grpc.handleUnaryCall<_atelier_v1_OrderRequest, _atelier_v1_OrderInput>;
  
  /**
   * Newest first.
   */
  ListOrders: grpc.handleUnaryCall<_atelier_v1_ListOrdersRequest, _atelier_v1_ListOrdersReplyInput>;
  
  /**
   * The credit packs that are sold, the smallest first. Needs no caller.
   */
  ListPacks: grpc.handleUnaryCall<_atelier_v1_ListPacksRequest, _atelier_v1_ListPacksReplyInput>;
  
  /**
   * One order for each idempotency key. What costs nothing is fulfilled at once.
   * Errors: invalid_request, product_not_found, not_for_sale, already_owned, membership_required, price_changed, idempotency_mismatch.
   */
  PlaceOrder: grpc.handleUnaryCall<_atelier_v1_PlaceOrderRequest, _atelier_v1_OrderInput>;
  
  /**
   * What was pressed on it. Once it has ended, pressing changes nothing.
   */
  PressDemoCheckout: grpc.handleUnaryCall<_atelier_v1_PressDemoCheckoutRequest, _atelier_v1_DemoCheckoutInput>;
  
  /**
   * Where the person pays for it. Errors: not_found, order_not_payable, price_changed, service_unavailable (the provider is away).
   */
  StartCheckout: grpc.handleUnaryCall<_atelier_v1_StartCheckoutRequest, _atelier_v1_CheckoutPageInput>;
  
  /**
   * An event of a payment provider, exactly as it came. Safe to repeat. Errors: not_found (no such provider), invalid_signature.
   */
  TakePaymentEvent: grpc.handleUnaryCall<_atelier_v1_TakePaymentEventRequest, _atelier_v1_TakePaymentEventReplyInput>;
  
}

export interface OrdersDefinition extends grpc.ServiceDefinition {
  CancelOrder: MethodDefinition<_atelier_v1_OrderRequestInput, _atelier_v1_OrderInput, _atelier_v1_OrderRequest, _atelier_v1_Order>
  DescribeShop: MethodDefinition<_atelier_v1_DescribeShopRequestInput, _atelier_v1_ShopInput, _atelier_v1_DescribeShopRequest, _atelier_v1_Shop>
  GetDemoCheckout: MethodDefinition<_atelier_v1_DemoCheckoutRequestInput, _atelier_v1_DemoCheckoutInput, _atelier_v1_DemoCheckoutRequest, _atelier_v1_DemoCheckout>
  GetOrder: MethodDefinition<_atelier_v1_OrderRequestInput, _atelier_v1_OrderInput, _atelier_v1_OrderRequest, _atelier_v1_Order>
  ListOrders: MethodDefinition<_atelier_v1_ListOrdersRequestInput, _atelier_v1_ListOrdersReplyInput, _atelier_v1_ListOrdersRequest, _atelier_v1_ListOrdersReply>
  ListPacks: MethodDefinition<_atelier_v1_ListPacksRequestInput, _atelier_v1_ListPacksReplyInput, _atelier_v1_ListPacksRequest, _atelier_v1_ListPacksReply>
  PlaceOrder: MethodDefinition<_atelier_v1_PlaceOrderRequestInput, _atelier_v1_OrderInput, _atelier_v1_PlaceOrderRequest, _atelier_v1_Order>
  PressDemoCheckout: MethodDefinition<_atelier_v1_PressDemoCheckoutRequestInput, _atelier_v1_DemoCheckoutInput, _atelier_v1_PressDemoCheckoutRequest, _atelier_v1_DemoCheckout>
  StartCheckout: MethodDefinition<_atelier_v1_StartCheckoutRequestInput, _atelier_v1_CheckoutPageInput, _atelier_v1_StartCheckoutRequest, _atelier_v1_CheckoutPage>
  TakePaymentEvent: MethodDefinition<_atelier_v1_TakePaymentEventRequestInput, _atelier_v1_TakePaymentEventReplyInput, _atelier_v1_TakePaymentEventRequest, _atelier_v1_TakePaymentEventReply>
}
