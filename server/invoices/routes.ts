import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { billingDetails } from './contract.ts';
import { fileNameOf } from './emails.ts';
import { invoicePdf } from './pdf.ts';
import type { Invoices } from './service.ts';

export function invoiceRoutes(invoices: Invoices): Router {
  const router = new Router({ prefix: '/api/billing' });

  router.get('/details', async (ctx) => {
    ctx.body = success(await invoices.details(actorOf(ctx)));
  });

  router.put('/details', async (ctx) => {
    const actor = actorOf(ctx);
    const details = await invoices.setDetails(actor, await read(ctx, billingDetails));
    ctx.body = success(details, { message: 'Saved. Invoices from now on carry these details.' });
  });

  router.get('/invoices/:id', async (ctx) => {
    const document = await invoices.document(actorOf(ctx), readId(ctx.params.id, 'invoice'));
    ctx.type = 'application/pdf';
    ctx.set('Content-Disposition', `attachment; filename="${fileNameOf(document)}"`);
    ctx.body = await invoicePdf(document);
  });

  return router;
}
