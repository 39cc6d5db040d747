import { createHmac, timingSafeEqual } from 'node:crypto';

const HEX = /^[0-9a-f]{64}$/;

function matches(secret: string, signed: string | Uint8Array, signature: string): boolean {
  // Only as the gateway writes it: what decodes to the same bytes is still not its signature.
  if (!HEX.test(signature)) return false;
  const own = createHmac('sha256', secret).update(signed).digest();
  return timingSafeEqual(own, Buffer.from(signature, 'hex'));
}

/** Whether the gateway itself told the browser that this payment belongs to this order. */
export const isPaymentSignature = (
  secret: string,
  { orderId, paymentId }: { orderId: string; paymentId: string },
  signature: string,
): boolean => matches(secret, `${orderId}|${paymentId}`, signature);

/** Whether these very bytes come from the gateway. Several secrets hold while one is being changed. */
export const isWebhookSignature = (
  secrets: readonly string[],
  body: Uint8Array,
  signature: string,
): boolean => secrets.some((secret) => matches(secret, body, signature));
