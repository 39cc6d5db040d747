/** The addresses of the gateway, and the credentials of both sides. */
export interface GatewaySettings {
  keyId: string;
  keySecret: string;
  /** The present one first; more than one while it is being changed. Empty: no webhook is accepted. */
  webhookSecrets: readonly string[];
  /** Without a slash at the end. */
  apiUrl: string;
  /** The address of checkout.js. */
  checkoutUrl: string;
}
