import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { checkoutPage, checkoutScript } from './checkout.ts';
import { Ledger, ApiError } from './ledger.ts';
import { Webhooks, hmacSha256 } from './webhooks.ts';

/** Ways in which the gateway fails. `lost` executes the call and cuts the connection before it responds; `denied` refuses the API key. */
export type Outage = 'denied' | 'down' | 'silent' | 'html' | 'html-ok' | 'server-error' | 'lost';

export interface GatewayEmulator {
  /** Without a trailing slash. */
  url: string;
  keyId: string;
  keySecret: string;
  ledger: Ledger;
  webhooks: Webhooks;
  /** Calls to the API, such as `GET /v1/orders/…`. */
  calls: string[];
  outage: Outage | null;
  /** Runs after each API response; the connection stays open until it has finished. */
  afterResponse: ((call: string) => unknown) | null;
  /** What checkout passes to the browser for a payment. */
  proof(paymentId: string): {
    razorpay_payment_id: string;
    razorpay_order_id: string;
    razorpay_signature: string;
  };
  close(): Promise<void>;
}

const json = (res: ServerResponse, status: number, body: unknown) =>
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const html = (res: ServerResponse, status: number, body: string) =>
  res.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body);
const failure = (code: string, description: string, field?: string) => ({
  error: { code, description, source: 'NA', step: 'NA', reason: 'NA', metadata: {}, ...(field && { field }) },
});
const collection = (items: object[]) => ({ entity: 'collection', count: items.length, items });
const rupees = (paise: number) =>
  new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' }).format(paise / 100);

async function bodyOf(req: IncomingMessage): Promise<Record<string, unknown>> {
  const text = (await buffer(req)).toString();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** A local payment gateway with Razorpay's API, checkout and webhooks. No money moves. */
export async function openGateway({ port = 0 } = {}): Promise<GatewayEmulator> {
  const webhooks = new Webhooks('whsec_emulated');
  const ledger = new Ledger((event, payload) => webhooks.emit(event, payload));
  const keyId = 'rzp_test_emulated00';
  const keySecret = 'secret_emulated';
  const basic = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;

  function api(call: string, id: string, body: Record<string, unknown>): object | undefined {
    switch (call) {
      case 'POST orders':
        return ledger.createOrder(body);
      case 'GET orders':
        return ledger.order(id);
      case 'GET orders payments':
        return collection(ledger.paymentsOf(ledger.order(id).id));
      case 'GET payments':
        return ledger.payment(id);
      case 'GET payments refunds':
        return collection(ledger.refundsOf(ledger.payment(id).id));
      case 'POST payments capture':
        return ledger.capture(id, Number(body.amount));
      case 'POST payments refund':
        return ledger.refund(id, body.amount === undefined ? undefined : Number(body.amount));
      default:
        return undefined;
    }
  }

  async function answerApi(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const { outage } = gateway;
    const call = `${req.method} ${path}`;
    gateway.calls.push(call);
    if (outage === 'down') return void req.socket.destroy();
    if (outage === 'silent') return;
    if (outage === 'html') return void html(res, 502, '<html><h1>502 Bad Gateway</h1></html>');
    if (outage === 'html-ok') return void html(res, 200, '<html><h1>Scheduled maintenance</h1></html>');
    if (outage === 'server-error')
      return void json(res, 500, failure('SERVER_ERROR', 'We are facing some trouble. Try again later.'));
    const body = await bodyOf(req);
    if (outage === 'denied' || req.headers.authorization !== basic)
      return void json(res, 401, failure('BAD_REQUEST_ERROR', 'Authentication failed'));
    const [kind = '', id = '', verb = ''] = path.slice('/v1/'.length).split('/');
    const result = api([req.method, kind, verb].filter(Boolean).join(' '), id, body);
    if (outage === 'lost') return void req.socket.destroy();
    if (!result)
      json(res, 404, failure('BAD_REQUEST_ERROR', 'The requested URL was not found on the server.'));
    else json(res, 200, result);
    await gateway.afterResponse?.(call);
  }

  function attempt(body: Record<string, unknown>): object {
    if (body.key_id !== keyId) throw new ApiError('The api key provided is invalid');
    const orderId = String(body.order_id);
    if (ledger.order(orderId).status === 'paid') throw new ApiError('Payment already done for this order.');
    if (body.outcome !== 'failure') return gateway.proof(ledger.pay(orderId).id);
    const { id, error_code, error_description, error_source, error_step, error_reason } =
      ledger.fail(orderId);
    return {
      error: {
        code: error_code,
        description: error_description,
        source: error_source,
        step: error_step,
        reason: error_reason,
        metadata: { order_id: orderId, payment_id: id },
      },
    };
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '/', gateway.url);
    const parameter = (name: string) => searchParams.get(name) ?? '';
    if (pathname === '/v1/checkout.js')
      return void res
        .writeHead(200, { 'content-type': 'text/javascript', 'cross-origin-resource-policy': 'cross-origin' })
        .end(checkoutScript(gateway.url));
    if (pathname === '/v1/checkout/attempt') return void json(res, 200, attempt(await bodyOf(req)));
    if (pathname !== '/v1/checkout/public') return answerApi(req, res, pathname);
    const { amount } = ledger.order(parameter('order_id'));
    html(
      res,
      200,
      checkoutPage({
        orderId: parameter('order_id'),
        keyId: parameter('key_id'),
        rupees: rupees(amount),
        name: parameter('name'),
        description: parameter('description'),
        payer: [parameter('payer'), parameter('email'), parameter('contact')].filter(Boolean).join(' · '),
      }),
    );
  }

  const server: Server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      if (error instanceof ApiError) json(res, 400, failure('BAD_REQUEST_ERROR', error.message, error.field));
      else json(res, 500, failure('SERVER_ERROR', String(error)));
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');

  const gateway: GatewayEmulator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keyId,
    keySecret,
    ledger,
    webhooks,
    calls: [],
    outage: null,
    afterResponse: null,
    proof(paymentId) {
      const { id, order_id } = ledger.payment(paymentId);
      return {
        razorpay_payment_id: id,
        razorpay_order_id: String(order_id),
        razorpay_signature: hmacSha256(keySecret, `${order_id}|${id}`),
      };
    },
    async close() {
      await webhooks.close();
      server.close();
      server.closeAllConnections();
    },
  };
  return gateway;
}
