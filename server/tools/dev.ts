import { join } from 'node:path';
import { dev } from 'astro';
import { serve } from '../serving/serve.ts';
import { openGateway } from '../testing/gateway/emulator.ts';

/** Where Astro's development server expects the `locals` of a page. */
const LOCALS = Symbol.for('astro.locals');

/** Without gateway keys, payments go to an emulated gateway on this machine; no money moves. */
async function emulateGateway(): Promise<void> {
  if (process.env.RAZORPAY_KEY_ID || process.env.RAZORPAY_API_URL) return;
  // The same address after every reload, or the orders of before would not be found.
  const gateway = await openGateway({ port: Number(process.env.PORT || 3000) + 1 });
  gateway.webhooks.url = `http://127.0.0.1:${process.env.PORT || 3000}/api/subscription/webhook`;
  Object.assign(process.env, {
    RAZORPAY_KEY_ID: gateway.keyId,
    RAZORPAY_KEY_SECRET: gateway.keySecret,
    RAZORPAY_WEBHOOK_SECRET: gateway.webhooks.secret,
    RAZORPAY_API_URL: gateway.url,
    RAZORPAY_CHECKOUT_URL: `${gateway.url}/v1/checkout.js`,
  });
}

await emulateGateway();
// `npm run dev`: pages reload on save, a saved server file restarts this process (node --watch-path).
await serve(async () => {
  const astro = await dev({
    root: join(import.meta.dirname, '../..'),
    logLevel: 'error',
    // Hot reload uses a WebSocket port of its own, since Astro does not control our server's sockets.
    vite: { server: { ws: { port: 24_678 } } },
  });
  return {
    async render(req, res, _next, locals) {
      Reflect.set(req, LOCALS, locals);
      astro.handle(req, res);
    },
  };
});
