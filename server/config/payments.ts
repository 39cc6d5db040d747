import { isGstin } from '../invoices/contract.ts';
import { RECEIPTS } from '../invoices/numbers.ts';
import type { InvoiceSettings } from '../invoices/settings.ts';
import type { GatewaySettings } from '../payments/settings.ts';

/** Reads one variable; a value that `parse` rejects is reported as a problem. */
export type ReadSetting = <T>(
  name: string,
  fallback: T,
  wanted: string,
  parse: (text: string) => T | undefined,
) => T;

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

/** Keys and payers' data are sent there, so plain http is allowed only on this machine. */
function safeUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, username, search, hash } = new URL(address);
  const safe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return safe && !username && !search && !hash ? address.replace(/\/+$/, '') : undefined;
}

/** Secrets are read from `env` directly, so that they never appear in a message. */
export function readGateway(
  env: Record<string, string | undefined>,
  read: ReadSetting,
  problems: string[],
): GatewaySettings | null {
  const keyId = read('RAZORPAY_KEY_ID', '', 'a key id such as rzp_live_…', (text) =>
    /^rzp_(?:test|live)_\w+$/.test(text) ? text : undefined,
  );
  const keySecret = env.RAZORPAY_KEY_SECRET?.trim() ?? '';
  const webhookSecrets = (env.RAZORPAY_WEBHOOK_SECRET ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter(Boolean);
  const wanted = 'an https address (http only on this machine)';
  const apiUrl = read('RAZORPAY_API_URL', 'https://api.razorpay.com', wanted, safeUrl);
  const checkoutUrl = read(
    'RAZORPAY_CHECKOUT_URL',
    'https://checkout.razorpay.com/v1/checkout.js',
    wanted,
    safeUrl,
  );
  if ((env.RAZORPAY_KEY_ID?.trim() ?? '') === '' && keySecret === '') {
    if (webhookSecrets.length > 0)
      problems.push('RAZORPAY_WEBHOOK_SECRET is set, but RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET are not.');
    return null;
  }
  if (keySecret === '') problems.push('RAZORPAY_KEY_ID is set, but RAZORPAY_KEY_SECRET is not.');
  if ((env.RAZORPAY_KEY_ID?.trim() ?? '') === '')
    problems.push('RAZORPAY_KEY_SECRET is set, but RAZORPAY_KEY_ID is not.');
  if (webhookSecrets.includes(keySecret))
    problems.push(
      'RAZORPAY_WEBHOOK_SECRET is the same as RAZORPAY_KEY_SECRET; they are two different secrets.',
    );
  return { keyId, keySecret, webhookSecrets, apiUrl, checkoutUrl };
}

export function readInvoicing(read: ReadSetting, problems: string[], appName: string): InvoiceSettings {
  const text = (name: string) => read(name, '', '', (text) => text);
  const name = text('SELLER_NAME');
  // A variable has only one line, so `|` stands for a line break.
  const address = text('SELLER_ADDRESS')
    .split('|')
    .map((line) => line.trim())
    .join('\n');
  const gstin = read('SELLER_GSTIN', '', 'a valid GSTIN, such as 27AAAPZ0000Q1ZL', (text) =>
    isGstin(text.toUpperCase()) ? text.toUpperCase() : undefined,
  );
  const seller = { SELLER_NAME: name, SELLER_ADDRESS: address, SELLER_GSTIN: gstin };
  const missing = Object.entries(seller).filter(([, value]) => value === '');
  if (missing.length === 1 || missing.length === 2) {
    const names = missing.map(([variable]) => variable).join(' and ');
    // An invalid GSTIN has been reported already.
    if (!problems.some((problem) => problem.startsWith('SELLER_GSTIN')) || missing.length > 1)
      problems.push(
        `Tax invoices need SELLER_NAME, SELLER_ADDRESS and SELLER_GSTIN; ${names} ${missing.length === 1 ? 'is' : 'are'} missing.`,
      );
  }
  return {
    seller: missing.length === 0 ? { name, address, gstin } : null,
    prefix: read('INVOICE_PREFIX', 'AL', `1 to 3 capital letters or digits, and not ${RECEIPTS}`, (prefix) =>
      /^[A-Z0-9]{1,3}$/.test(prefix) && prefix !== RECEIPTS ? prefix : undefined,
    ),
    sac: read('SELLER_SAC', '997331', 'a service code of 4 or 6 digits that begins with 99', (code) =>
      /^99(?:\d{2}|\d{4})$/.test(code) ? code : undefined,
    ),
    appName,
  };
}
