import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { saveSheet } from './contract.ts';
import type { Backups } from './service.ts';

export function backupRoutes({ backups }: { backups: Backups }): Router {
  const router = new Router({ prefix: '/api/backups' });

  router.get('/', async (ctx) => {
    ctx.body = success(await backups.view(actorOf(ctx)));
  });

  router.post('/run', async (ctx) => {
    ctx.body = success(await backups.runNow(actorOf(ctx)));
    ctx.status = 202;
  });

  router.post('/recovery-sheet', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = await backups.saveSheet(actor, await read(ctx, saveSheet));
    ctx.type = 'application/pdf';
    ctx.set('Content-Disposition', 'attachment; filename="recovery-sheet.pdf"');
    ctx.set('Cache-Control', 'no-store');
  });

  return router;
}
