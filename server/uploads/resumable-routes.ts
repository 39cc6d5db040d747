import { Router } from '@koa/router';
import type { Context } from 'koa';
import { actorOf, success } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { Answering, Arrival } from './answer.ts';
import { answerUpload } from './answer.ts';
import type { Announced } from './announce.ts';
import { CUT_OFF, DELETED_SINCE, RESUMABLE } from './contract.ts';
import type { Resumable } from './resumable.ts';
import type { Tus } from './tus.ts';
import type { Whole } from './single-request.ts';
import { wholeFile } from './single-request.ts';

/** Longer than a phone takes to change networks; what has come until then is kept. */
const STALL_AFTER = 120_000;
const SHOWN = ['location', 'tus-resumable', 'upload-offset', 'upload-length', 'upload-expires'];

/** The upload key among the metadata of tus; null without one. */
function keyOf(metadata: string): string | null {
  const value = /(?:^|,)\s*upload_key ([\w+/=]+)/.exec(metadata)?.[1];
  return value === undefined ? null : Buffer.from(value, 'base64').toString();
}

/** Uploads that go on where they stopped, over tus 1.0.0; the last answer is that of an ordinary upload. */
export function resumableRoutes({
  resumable,
  whole,
  ...answering
}: Answering & { resumable: Resumable; whole: Whole }): Router {
  const router = new Router({ prefix: RESUMABLE });
  let loading: Promise<Tus> | undefined;
  // Loaded when first needed: most servers start and stop without it, and it takes 20 MB.
  const tus = () => (loading ??= import('./tus.ts').then(({ createTus }) => createTus(resumable)));

  async function speak(ctx: Context): Promise<void> {
    const actor = actorOf(ctx);
    const stalled = () => ctx.req.destroy(new Error('The client stopped sending.'));
    ctx.req.setTimeout(STALL_AFTER, stalled);
    const answerTo = await tus();
    const { status, headers } = await answerTo(actor, ctx.req, `http://localhost${ctx.url}`).catch(
      (error: unknown) => {
        // The rest of the body does not come any more, which is no fault of ours.
        throw ctx.req.destroyed && !ctx.req.complete ? new AppError(400, 'cut_off', CUT_OFF) : error;
      },
    );
    ctx.req.setTimeout(0);
    for (const name of SHOWN) if (headers.has(name)) ctx.set(name, headers.get(name)!);
    ctx.status = status;
  }

  async function tell(ctx: Context, finished: Arrival): Promise<void> {
    const actor = actorOf(ctx);
    ctx.body = await answerUpload(answering, actor, finished, (jobId) =>
      resumable.noteExtraction(String(ctx.params.id), jobId),
    );
  }

  /** The upload that was begun before with the same key, as its answers say it. */
  async function begun(ctx: Context, key: string): Promise<boolean> {
    const actor = actorOf(ctx);
    const id = await resumable.known(actor, key);
    if (id === null) return false;
    ctx.params.id = id;
    const finished = await resumable.settle(actor, id).catch((error: unknown) => {
      if (!(error instanceof AppError && error.status === 404)) throw error;
      return 'gone' as const;
    });
    if (finished === 'gone') ctx.body = success(null, { message: DELETED_SINCE });
    else if (finished) await tell(ctx, finished);
    else {
      ctx.set({ 'Tus-Resumable': '1.0.0', Location: `${RESUMABLE}/${id}` });
      ctx.status = 201;
      ctx.body = success({ id });
    }
    return true;
  }

  async function takeWhole(ctx: Context, file: Announced): Promise<void> {
    const taken = await whole(actorOf(ctx), ctx.req, file);
    if ('there' in taken) {
      ctx.body = success(taken.there, { message: `${taken.there.name} is there already` });
      return;
    }
    const { id, arrival } = taken;
    ctx.params.id = id;
    const told = {
      'Tus-Resumable': '1.0.0',
      Location: `${RESUMABLE}/${id}`,
      'Upload-Offset': String(file.size),
    };
    ctx.set(told);
    ctx.status = 201;
    await tell(ctx, arrival);
  }

  router.post('/', async (ctx) => {
    const key = keyOf(ctx.get('upload-metadata'));
    if (key !== null && (await begun(ctx, key))) return;
    const file = wholeFile(ctx.req);
    if (file) return takeWhole(ctx, file);
    await speak(ctx);
    // An empty file is whole at once.
    const id = String(ctx.response.get('location')).split('/').at(-1)!;
    ctx.params.id = id;
    const finished = await resumable.settle(actorOf(ctx), id);
    if (finished) await tell(ctx, finished);
    else ctx.body = success({ id });
    return undefined;
  });

  router.head('/:id', async (ctx) => {
    await speak(ctx);
    // Nobody is told that all has come before the file is there: a request that was cut off may have left it to this one,
    // which waited for its end.
    await resumable.settle(actorOf(ctx), String(ctx.params.id));
    ctx.set('Cache-Control', 'no-store');
  });

  router.patch('/:id', async (ctx) => {
    await speak(ctx);
    const finished = await resumable.settle(actorOf(ctx), String(ctx.params.id));
    if (!finished) return;
    ctx.status = 200;
    await tell(ctx, finished);
  });

  router.delete('/:id', speak);

  /** What has become of an upload: `{ id, size, received }` while it goes on, afterwards what was uploaded. */
  router.get('/:id', async (ctx) => {
    const actor = actorOf(ctx);
    const id = String(ctx.params.id);
    const progress = await resumable.progress(actor, id);
    const finished = await resumable.settle(actor, id);
    if (finished) return tell(ctx, finished);
    ctx.body = success(progress);
    return undefined;
  });

  return router;
}
