import { Router } from '@koa/router';
import type { Context } from 'koa';
import { actorOf, success } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { UploadResponseDependencies, UploadResult } from './upload-response.ts';
import { uploadResponse } from './upload-response.ts';
import type { UploadRequest } from './new-upload.ts';
import { CUT_OFF, DELETED_SINCE, RESUMABLE } from './contract.ts';
import type { Resumable } from './resumable.ts';
import type { Tus } from './tus.ts';
import type { SingleRequestUpload } from './single-request.ts';
import { parseMetadata, parseSingleRequest } from './single-request.ts';

/** Longer than a phone takes to change networks; the bytes received until then are kept. */
const STALL_AFTER = 120_000;
const RESPONSE_HEADERS = ['location', 'tus-resumable', 'upload-offset', 'upload-length', 'upload-expires'];

function goneIfNotFound(error: unknown): 'gone' {
  if (error instanceof AppError && error.status === 404) return 'gone';
  throw error;
}

/** Resumable uploads over tus 1.0.0. The last response has the same body as that of an ordinary upload. */
export function resumableRoutes({
  resumable,
  receiveSingleRequest,
  ...answering
}: UploadResponseDependencies & { resumable: Resumable; receiveSingleRequest: SingleRequestUpload }): Router {
  const router = new Router({ prefix: RESUMABLE });
  let loading: Promise<Tus> | undefined;
  // Loaded on first use: it takes 20 MB, and most servers never need it.
  const tus = () => (loading ??= import('./tus.ts').then(({ createTus }) => createTus(resumable)));

  async function handleTus(ctx: Context): Promise<void> {
    const actor = actorOf(ctx);
    const stalled = () => ctx.req.destroy(new Error('The client stopped sending.'));
    ctx.req.setTimeout(STALL_AFTER, stalled);
    const answerTo = await tus();
    const { status, headers } = await answerTo(actor, ctx.req, `http://localhost${ctx.url}`).catch(
      (error: unknown) => {
        // The rest of the body will not arrive; this is not a server error.
        throw ctx.req.destroyed && !ctx.req.complete ? new AppError(400, 'cut_off', CUT_OFF) : error;
      },
    );
    ctx.req.setTimeout(0);
    for (const name of RESPONSE_HEADERS) if (headers.has(name)) ctx.set(name, headers.get(name)!);
    ctx.status = status;
  }

  async function respond(ctx: Context, finished: UploadResult): Promise<void> {
    const actor = actorOf(ctx);
    ctx.body = await uploadResponse(answering, actor, finished, (jobId) =>
      resumable.noteExtraction(String(ctx.params.id), jobId),
    );
  }

  /**
   * Responds with the state of the upload that was started before with the key in `metadata`. @returns false if there is none.
   */
  async function resumeByKey(ctx: Context, metadata: Record<string, string>): Promise<boolean> {
    const { filename, name, ...fields } = metadata;
    const actor = actorOf(ctx);
    const id = fields.upload_key === undefined ? null : await resumable.findByKey(actor, fields.upload_key);
    if (id === null) return false;
    ctx.params.id = id;
    await resumable.beginAgain(actor, id, { name: filename ?? name ?? '', fields });
    const finished = await resumable.settle(actor, id).catch(goneIfNotFound);
    if (finished === 'gone') ctx.body = success(null, { message: DELETED_SINCE });
    else if (finished) await respond(ctx, finished);
    else {
      ctx.set({ 'Tus-Resumable': '1.0.0', Location: `${RESUMABLE}/${id}` });
      ctx.status = 201;
      ctx.body = success({ id });
    }
    return true;
  }

  async function handleSingleRequest(ctx: Context, file: UploadRequest): Promise<void> {
    const received = await receiveSingleRequest(actorOf(ctx), ctx.req, file);
    if ('there' in received) {
      ctx.body = success(received.there, { message: `${received.there.name} is there already` });
      return;
    }
    const { id, arrival } = received;
    ctx.params.id = id;
    const headers = {
      'Tus-Resumable': '1.0.0',
      Location: `${RESUMABLE}/${id}`,
      'Upload-Offset': String(file.size),
    };
    ctx.set(headers);
    ctx.status = 201;
    await respond(ctx, arrival);
  }

  router.post('/', async (ctx) => {
    const metadata = parseMetadata(ctx.get('upload-metadata'));
    if (metadata && (await resumeByKey(ctx, metadata))) return;
    const file = parseSingleRequest(ctx.req);
    if (file) return handleSingleRequest(ctx, file);
    await handleTus(ctx);
    // An empty file is complete already.
    const id = String(ctx.response.get('location')).split('/').at(-1)!;
    ctx.params.id = id;
    const finished = await resumable.settle(actorOf(ctx), id);
    if (finished) await respond(ctx, finished);
    else ctx.body = success({ id });
    return undefined;
  });

  router.head('/:id', async (ctx) => {
    await handleTus(ctx);
    // Completes the file before reporting the full offset: an interrupted PATCH may have left that to this request. One that was
    // deleted since, as a ZIP that was extracted, has arrived all the same: it must not be sent again.
    await resumable.settle(actorOf(ctx), String(ctx.params.id)).catch(goneIfNotFound);
    ctx.set('Cache-Control', 'no-store');
  });

  router.patch('/:id', async (ctx) => {
    await handleTus(ctx);
    const finished = await resumable.settle(actorOf(ctx), String(ctx.params.id));
    if (!finished) return;
    ctx.status = 200;
    await respond(ctx, finished);
  });

  router.delete('/:id', handleTus);

  /** State of an upload: `{ id, size, received }` until it is complete, then the uploaded item. */
  router.get('/:id', async (ctx) => {
    const actor = actorOf(ctx);
    const id = String(ctx.params.id);
    const progress = await resumable.progress(actor, id);
    const finished = await resumable.settle(actor, id);
    if (finished) return respond(ctx, finished);
    ctx.body = success(progress);
    return undefined;
  });

  return router;
}
