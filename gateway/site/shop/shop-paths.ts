// Addresses of buying.
export const CHECKOUT_PATH = "/checkout";
export const PACKS_PATH = "/credits/buy";
export const ORDERS_PATH = "/account/orders";
export const DEMO_PATH = "/payments/demo";

export function checkoutPath(orderId: string): string {
  return `${CHECKOUT_PATH}/${encodeURIComponent(orderId)}`;
}

export function orderPath(orderId: string): string {
  return `${ORDERS_PATH}/${encodeURIComponent(orderId)}`;
}

export function invoicePath(orderId: string): string {
  return `${orderPath(orderId)}/invoice`;
}

export function demoPath(ref: string): string {
  return `${DEMO_PATH}/${encodeURIComponent(ref)}`;
}
