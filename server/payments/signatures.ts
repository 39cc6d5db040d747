import { createHmac, timingSafeEqual } from 'node:crypto';

const HEX = /^[0-9a-f]{64}$/;

function matches(secret: string, signed: string | Uint8Array, signature: string): boolean {
  // Exactly the gateway's notation: `Buffer.from` would also accept upper case and ignore trailing characters.
  if (!HEX.test(signature)) return false;
  const expected = createHmac('sha256', secret).update(signed).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

/** Whether the gateway signed that this payment belongs to this order. */
export const isPaymentSignature = (
  secret: string,
  { orderId, paymentId }: { orderId: string; paymentId: string },
  signature: string,
): boolean => matches(secret, `${orderId}|${paymentId}`, signature);

/** Whether the gateway signed these bytes. Several secrets are valid while one is being changed. */
export const isWebhookSignature = (
  secrets: readonly string[],
  body: Uint8Array,
  signature: string,
): boolean => secrets.some((secret) => matches(secret, body, signature));
