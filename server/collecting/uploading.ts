import type { Context } from 'koa';
import { success } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { Tus, TusUploads } from '#server/uploads/tus.ts';
import { actorOf } from './actor.ts';
import type { Door, Sender, Taken } from './contract.ts';
import { CUT_OFF } from './contract.ts';

/** Longer than a phone takes to change networks; what has come until then is kept. */
const STALL_AFTER = 120_000;
const SHOWN = ['location', 'tus-resumable', 'upload-offset', 'upload-length', 'upload-expires'];

/**
 * Answers uploads that go on where they stopped, over tus 1.0.0, for whoever has come by a link: the same for every kind
 * of link.
 */
export function createUploading(collecting: {
  uploadsOf(door: Door, sender: Sender): TusUploads;
  settle(door: Door, sender: Sender, id: string): Promise<Taken | null>;
}) {
  let loading: Promise<Tus> | undefined;
  const tus = () => (loading ??= import('#server/uploads/tus.ts').then(({ createTus }) => createTus()));

  /** @param path below which the link's uploads are: `/r/{token}/uploads`. @param id of the upload, but where it begins. */
  return async function speak(
    ctx: Context,
    { door, sender, path, id }: { door: Door; sender: Sender; path: string; id?: string },
  ): Promise<void> {
    const uploads = collecting.uploadsOf(door, sender);
    ctx.req.setTimeout(STALL_AFTER, () => ctx.req.destroy(new Error('The client stopped sending.')));
    const talk = await tus();
    const { status, headers } = await talk(
      actorOf(door, sender.cookie),
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
    for (const name of SHOWN) if (headers.has(name)) ctx.set(name, headers.get(name)!);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = status;
    if (ctx.method === 'DELETE') return;
    // Nobody is told that all has come before it is taken, nor one who waited for the end of a request that was cut off.
    const made = id ?? String(headers.get('location')).split('/').at(-1)!;
    const taken = await collecting.settle(door, sender, made);
    if (ctx.method === 'HEAD') return;
    if (taken) {
      ctx.status = ctx.method === 'POST' ? 201 : 200;
      ctx.body = success(taken);
    } else if (ctx.method === 'POST') ctx.body = success({ id: made });
  };
}
export type Uploading = ReturnType<typeof createUploading>;
