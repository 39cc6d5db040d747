import { Router } from '@koa/router';
import { actorOf } from '#server/http/context.ts';
import type { Line } from './hub.ts';
import type { Events } from './service.ts';

/** What a reader who takes nothing may have waiting, in bytes; with more the connection is cut, and comes back. */
const BEHIND = 256 * 1024;

export function eventRoutes(events: Events): Router {
  const router = new Router({ prefix: '/api/events' });

  router.get('/', async (ctx) => {
    const actor = actorOf(ctx);
    const { req, res } = ctx;
    ctx.set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // A proxy that gathers an answer before it passes it on would keep everything to itself.
      'X-Accel-Buffering': 'no',
    });
    ctx.status = 200;
    if (ctx.method === 'HEAD') return;
    const line: Line = {
      send(text) {
        if (res.destroyed || res.writableEnded) return;
        res.write(text);
        if (res.writableLength > BEHIND) res.destroy();
      },
      end: (text) => void (res.destroyed || res.end(text)),
    };
    let begun = false;
    const waiting: string[] = [];
    const leave = await events.listen(
      actor,
      { ...line, send: (text) => (begun ? line.send(text) : void waiting.push(text)) },
      ctx.get('last-event-id') || undefined,
    );
    ctx.respond = false;
    req.socket.setNoDelay(true);
    req.socket.setTimeout(0);
    res.once('close', leave);
    res.writeHead(200);
    begun = true;
    line.send(waiting.join(''));
    if (res.destroyed) leave();
  });

  return router;
}
