import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BadConfig, readConfig } from './config.ts';

const KEYS = { RAZORPAY_KEY_ID: 'rzp_live_abc', RAZORPAY_KEY_SECRET: 'hidden' };
const SELLER = {
  SELLER_NAME: 'Rao LLP',
  SELLER_ADDRESS: '12 MG Road | Pune',
  SELLER_GSTIN: '27AAAPZ0000Q1ZL',
};

function problems(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof BadConfig) return error.message;
  }
  return '';
}

test('without keys there is no payment gateway, and without a seller there are receipts instead of tax invoices', () => {
  const { gateway, invoicing } = readConfig({});
  assert.is(gateway, null);
  assert.is(invoicing.seller, null);
});

test('two webhook secrets are valid while one is being replaced', () => {
  const { gateway } = readConfig({ ...KEYS, RAZORPAY_WEBHOOK_SECRET: 'new, old' });
  assert.equal(gateway?.webhookSecrets, ['new', 'old']);
  assert.is(gateway?.apiUrl, 'https://api.razorpay.com');
});

test('an incomplete set of gateway keys is reported without showing the secret', () => {
  assert.match(problems({ RAZORPAY_KEY_ID: 'rzp_live_abc' }), 'RAZORPAY_KEY_SECRET is not');
  assert.match(problems({ RAZORPAY_KEY_SECRET: 'hidden' }), 'RAZORPAY_KEY_ID is not');
  assert.match(problems({ ...KEYS, RAZORPAY_WEBHOOK_SECRET: 'hidden' }), 'two different secrets');
  assert.not.match(problems({ ...KEYS, RAZORPAY_KEY_ID: 'x' }), 'hidden');
});

test('the gateway URL must be https, or on this machine, since keys are sent to it', () => {
  assert.match(problems({ ...KEYS, RAZORPAY_API_URL: 'http://gateway.example' }), 'RAZORPAY_API_URL');
  assert.is(problems({ ...KEYS, RAZORPAY_API_URL: 'http://127.0.0.1:9000/' }), '');
});

test('the settings of the seller must be complete and valid, or not set at all', () => {
  assert.equal(readConfig(SELLER).invoicing.seller?.address, '12 MG Road\nPune');
  assert.match(problems({ SELLER_NAME: 'Rao LLP' }), 'SELLER_ADDRESS and SELLER_GSTIN are missing');
  assert.match(problems({ ...SELLER, SELLER_GSTIN: '27AAAPZ0000Q1ZM' }), 'SELLER_GSTIN should be');
  assert.match(problems({ INVOICE_PREFIX: 'LONG' }), 'INVOICE_PREFIX');
  assert.match(problems({ SELLER_SAC: '12' }), 'SELLER_SAC');
});

test.run();
