import type { Context } from 'koa';
import { success } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { Tus, TusUploads } from '#server/uploads/tus.ts';
import { senderActor } from './actor.ts';
import type { Door, Sender, Taken } from './contract.ts';
import { CUT_OFF } from './contract.ts';

/** Longer than a phone takes to change networks; received bytes are kept until then. */
const STALL_TIMEOUT_MS = 120_000;
const FORWARDED_HEADERS = ['location', 'tus-resumable', 'upload-offset', 'upload-length', 'upload-expires'];

/** Serves resumable uploads over tus 1.0.0 for visitors with a link, the same for every kind of link. */
export function createUploading(collecting: {
  uploadsOf(door: Door, sender: Sender): TusUploads;
  settle(door: Door, sender: Sender, id: string): Promise<Taken | null>;
}) {
  let loading: Promise<Tus> | undefined;
  const tus = () => (loading ??= import('#server/uploads/tus.ts').then(({ createTus }) => createTus()));

  /**
   * @param path the base path of the link's uploads: `/r/{token}/uploads`. @param id the upload, unless the request
   * creates it.
   */
  return async function handleUpload(
    ctx: Context,
    { door, sender, path, id }: { door: Door; sender: Sender; path: string; id?: string },
  ): Promise<void> {
    const uploads = collecting.uploadsOf(door, sender);
    ctx.req.setTimeout(STALL_TIMEOUT_MS, () => ctx.req.destroy(new Error('The client stopped sending.')));
    const handle = await tus();
    const { status, headers } = await handle(
      senderActor(door, sender.cookie),
      ctx.req,
      `http://localhost${ctx.url}`,
      {
        path,
        store: uploads,
      },
    ).catch((error: unknown) => {
      throw ctx.req.destroyed && !ctx.req.complete ? new AppError(400, 'cut_off', CUT_OFF) : error;
    });
    ctx.req.setTimeout(0);
    for (const name of FORWARDED_HEADERS) if (headers.has(name)) ctx.set(name, headers.get(name)!);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = status;
    if (ctx.method === 'DELETE') return;
    // Record the upload before the response: a client whose last request was cut off learns the result with HEAD.
    const uploadId = id ?? String(headers.get('location')).split('/').at(-1)!;
    const taken = await collecting.settle(door, sender, uploadId);
    if (ctx.method === 'HEAD') return;
    if (taken) {
      ctx.status = ctx.method === 'POST' ? 201 : 200;
      ctx.body = success(taken);
    } else if (ctx.method === 'POST') ctx.body = success({ id: uploadId });
  };
}
export type Uploading = ReturnType<typeof createUploading>;
