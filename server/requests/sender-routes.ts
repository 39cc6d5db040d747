import { Router } from '@koa/router';
import type { Context } from 'koa';
import type { FormFile } from '#server/collecting/contract.ts';
import { refusedOf, refusedQuery } from '#server/collecting/contract.ts';
import type { Collecting } from '#server/collecting/service.ts';
import { read, rawBody } from '#server/http/body.ts';
import { showFaultsOn, success } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import { readId } from '#server/http/input.ts';
import { bindPhotos } from './contract.ts';
import type { Requests } from './service.ts';

type Query = [name: string, value: string][];
/** What a form does. @returns the query of the redirect. */
type Act = (ctx: Context, fields: URLSearchParams) => Promise<Record<string, string> | void>;

const MAX_NAME_LENGTH = 100;

/** The rows for which files have arrived, and the refused files. */
function outcomeOf(files: readonly FormFile[]): Query {
  if (files.length === 0) return [['said', 'none']];
  const arrived = new Set(
    files.flatMap((file) => ('taken' in file && file.slot !== null ? [file.slot] : [])),
  );
  return [
    ...(arrived.size > 0 ? [['said', 'arrived'] as Query[number]] : []),
    ...[...arrived].map((slot): Query[number] => ['row', String(slot)]),
    ...refusedQuery(files),
  ];
}

/** The maximum size of a form without files. */
const MAX_FORM_BYTES = 16 * 1024;

/**
 * The endpoints for clients with the link of a request: plain forms that redirect to the page, and the calls of the
 * page's script. The page itself is in site/pages/r.
 */
export function senderRoutes({
  requests,
  collecting,
}: {
  requests: Requests;
  collecting: Collecting;
}): Router {
  const { senders } = requests;
  const { senderOf, scriptOf, requireOurs, back } = collecting.coming;
  const router = new Router({ prefix: '/r/:token' });
  const pageOf = (ctx: Context): string => `/r/${encodeURIComponent(String(ctx.params.token))}`;

  /** Redirects to the page with the error of a refused form. @param row the name of the document that it was for, which may be gone. */
  const redirectWithError = (ctx: Context, error: unknown, row: string | null = null): void => {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const said = error.status === 429 ? 'wait' : error.code;
    back(ctx, pageOf(ctx), { said, ...(row !== null && { file: row.slice(0, MAX_NAME_LENGTH) }) });
  };

  /** Redirects to the page: to the document of a form while there is nothing to say above all of them. */
  const answer = (ctx: Context, outcome: Query): void => {
    const row = outcome.length === 0 && ctx.params.id !== undefined ? `#row-${ctx.params.id}` : '';
    back(ctx, pageOf(ctx) + row, outcome);
  };

  /** Takes the files of all rows of the page. @param then returns the query of the redirect. */
  async function sendAll(
    ctx: Context,
    then: (files: FormFile[], fields: URLSearchParams) => Promise<Query>,
  ): Promise<void> {
    showFaultsOn(ctx, pageOf(ctx));
    const sender = senderOf(ctx);
    let all = new URLSearchParams();
    try {
      const door = await senders.door(sender);
      const files = await collecting.takeForm(
        door,
        { ip: sender.ip },
        ctx.req,
        (fields) => requireOurs(sender, fields['form'] ?? ''),
        (fields) => void (all = new URLSearchParams(fields)),
      );
      answer(ctx, await then(files, all));
    } catch (error) {
      redirectWithError(ctx, error, all.get('row'));
    }
  }

  const form =
    (act: Act) =>
    async (ctx: Context): Promise<void> => {
      showFaultsOn(ctx, pageOf(ctx));
      let fields = new URLSearchParams();
      try {
        if (ctx.is('urlencoded') === false)
          throw new AppError(415, 'unsupported_media_type', 'Send the form as it is.');
        fields = new URLSearchParams((await rawBody(ctx, MAX_FORM_BYTES)).toString('utf8'));
        requireOurs(senderOf(ctx), fields.get('form') ?? '');
        answer(ctx, Object.entries((await act(ctx, fields)) ?? {}));
      } catch (error) {
        redirectWithError(ctx, error, fields.get('row'));
      }
    };

  /** Without script, files that are chosen and not sent come along with the form. */
  const formWithFiles = (act: Act) => {
    const alone = form(act);
    return (ctx: Context): Promise<void> =>
      ctx.is('multipart')
        ? sendAll(ctx, async (files, fields) => [
            ...Object.entries((await act(ctx, fields)) ?? {}),
            ...refusedQuery(files),
          ])
        : alone(ctx);
  };

  router.post(
    '/open',
    form((ctx) => senders.noteOpened(senderOf(ctx))),
  );
  const finish = form(async (ctx) => {
    await senders.receipt(senderOf(ctx));
    return { said: 'done' };
  });
  /** Tells the office the reasons that are typed and not sent, for documents that it still needs and of which nothing has come with the form. */
  async function tellReasons(
    ctx: Context,
    files: readonly FormFile[],
    fields: URLSearchParams,
  ): Promise<void> {
    for (const [name, reason] of fields) {
      const row = Number(/^reason-(\d{1,15})$/.exec(name)?.[1] ?? 0);
      const hasCome = files.some((file) => 'taken' in file && file.slot === row);
      if (row === 0 || reason.trim() === '' || hasCome) continue;
      await senders.unavailable(senderOf(ctx), row, reason).catch((error: unknown) => {
        // The reasons of the others, and the receipt, do not depend on it.
        if (!(error instanceof AppError) || error.code !== 'not_needed') throw error;
      });
    }
  }

  /** Without script, files that are chosen and not sent come along, and reasons that are typed. */
  router.post('/done', async (ctx) => {
    if (!ctx.is('multipart')) return finish(ctx);
    return sendAll(ctx, async (files, fields) => {
      await tellReasons(ctx, files, fields);
      if (refusedOf(files).length > 0) return outcomeOf(files);
      await senders.receipt(senderOf(ctx));
      return [['said', 'done']];
    });
  });
  router.post('/files', (ctx) => sendAll(ctx, async (files) => outcomeOf(files)));
  router.post(
    '/rows/:id/unavailable',
    formWithFiles((ctx, fields) => {
      const row = readId(ctx.params.id, 'page');
      // With the files come the reasons of all rows.
      const reason = fields.get(`reason-${row}`) ?? fields.get('reason') ?? '';
      return senders.unavailable(senderOf(ctx), row, reason);
    }),
  );
  router.post(
    '/rows/:id/available',
    formWithFiles((ctx) => senders.unavailable(senderOf(ctx), readId(ctx.params.id, 'page'), null)),
  );

  router.post(
    '/arrivals/:id/back',
    formWithFiles(async (ctx) => {
      await senders.takeBack(senderOf(ctx), readId(ctx.params.id, 'page'));
      return { said: 'taken_back' };
    }),
  );

  router.post('/rows/:id/files', async (ctx) => {
    showFaultsOn(ctx, pageOf(ctx));
    const sender = senderOf(ctx);
    try {
      const door = await senders.door(sender);
      const slot = readId(ctx.params.id, 'page');
      const files = await collecting.takeForm(door, { ip: sender.ip, slot }, ctx.req, (fields) =>
        requireOurs(sender, fields['form'] ?? ''),
      );
      const refused = refusedOf(files);
      const [first] = refused;
      const received = files.length - refused.length;
      if (files.length === 0) back(ctx, pageOf(ctx), { said: 'none' });
      else if (first)
        back(ctx, pageOf(ctx), { said: first.code, file: first.name.slice(0, MAX_NAME_LENGTH) });
      else back(ctx, pageOf(ctx), { said: 'arrived', n: String(received) });
    } catch (error) {
      redirectWithError(ctx, error);
    }
  });

  router.post('/rows/:id/bind', async (ctx) => {
    const sender = scriptOf(ctx);
    const { batch } = await read(ctx, bindPhotos);
    const row = readId(ctx.params.id, 'page');
    ctx.body = success(await collecting.bind(await senders.door(sender), row, batch));
  });

  router.delete('/arrivals/:id', async (ctx) => {
    const sender = scriptOf(ctx);
    await collecting.takeBack(await senders.door(sender), readId(ctx.params.id, 'page'));
    ctx.body = success({ done: true });
  });

  const upload = async (ctx: Context): Promise<void> => {
    const sender = scriptOf(ctx);
    const door = await senders.door(sender);
    const id = ctx.params.id === undefined ? {} : { id: String(ctx.params.id) };
    await collecting.handleUpload(ctx, { door, sender, path: `${pageOf(ctx)}/uploads`, ...id });
  };
  router.post('/uploads', upload);
  router.head('/uploads/:id', upload);
  router.patch('/uploads/:id', upload);
  router.delete('/uploads/:id', upload);

  return router;
}
