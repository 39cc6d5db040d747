import { Router } from '@koa/router';
import { actorOf } from '#server/http/context.ts';
import type { EventStream } from './hub.ts';
import type { Events } from './service.ts';

/** Unsent bytes of a client that does not read. With more the connection is closed; the client then reconnects. */
const MAX_UNSENT_BYTES = 256 * 1024;

export function eventRoutes(events: Events): Router {
  const router = new Router({ prefix: '/api/events' });

  router.get('/', async (ctx) => {
    const actor = actorOf(ctx);
    const { req, res } = ctx;
    ctx.set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // Proxies must not buffer the response.
      'X-Accel-Buffering': 'no',
    });
    ctx.status = 200;
    if (ctx.method === 'HEAD') return;
    const stream: EventStream = {
      send(text) {
        if (res.destroyed || res.writableEnded) return;
        res.write(text);
        if (res.writableLength > MAX_UNSENT_BYTES) res.destroy();
      },
      end: (text) => void (res.destroyed || res.end(text)),
    };
    // Events before the headers are sent are queued.
    let started = false;
    const queued: string[] = [];
    const unsubscribe = await events.subscribe(
      actor,
      { ...stream, send: (text) => (started ? stream.send(text) : void queued.push(text)) },
      ctx.get('last-event-id') || undefined,
    );
    ctx.respond = false;
    req.socket.setNoDelay(true);
    req.socket.setTimeout(0);
    res.once('close', unsubscribe);
    res.writeHead(200);
    started = true;
    stream.send(queued.join(''));
    if (res.destroyed) unsubscribe();
  });

  return router;
}
