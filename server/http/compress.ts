import type { ServerResponse } from 'node:http';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Context } from 'koa';
import type { RequestState } from './context.ts';

const ENCODERS = {
  // The default quality, 11, takes a hundred times as long for a tenth less output.
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 5 }),
};

/**
 * The encoding for this page; null for no compression. The length of a compressed page reveals whether a
 * guessed text repeats within it (BREACH). Our pages hold no secret of the session (the CSRF token and the
 * session are cookies, links to files come from a call), but a client's PAN can stand beside a search term that
 * the URL chooses. So a page that another site opened in a signed-in browser is not compressed. Old browsers,
 * and all browsers on plain http, do not send Sec-Fetch-Site.
 */
function encodingFor(ctx: Context): keyof typeof ENCODERS | null {
  const from = ctx.get('sec-fetch-site');
  const foreign = from !== '' && from !== 'same-origin' && from !== 'none';
  if (ctx.method !== 'GET' || (foreign && (ctx.state as RequestState).actor)) return null;
  return (['br', 'gzip'] as const).find((encoding) => ctx.acceptsEncodings(encoding)) ?? null;
}

/** Compresses the HTML that is written to the response from now on, while it is being written. */
export function compressHtml(ctx: Context): void {
  ctx.vary('Accept-Encoding');
  const encoding = encodingFor(ctx);
  if (!encoding) return;
  const { res } = ctx;
  const writeHead = res.writeHead.bind(res) as (status: number, headers?: object) => ServerResponse;
  const write = res.write.bind(res);
  const end = res.end.bind(res);

  res.writeHead = ((status: number, headers: Record<string, unknown> = {}) => {
    if (!String(headers['content-type']).startsWith('text/html')) return writeHead(status, headers);
    const zip = ENCODERS[encoding]();
    zip.on('data', (chunk: Buffer) => write(chunk));
    zip.on('end', () => end());
    res.on('close', () => zip.destroy());
    let started = false;
    res.write = ((chunk: Uint8Array, callback?: () => void) => {
      const hasRoom = zip.write(chunk, callback);
      // Flush the head of the page first: the browser fetches styles and scripts while the rest is rendered.
      if (!started) zip.flush();
      started = true;
      return hasRoom;
    }) as typeof res.write;
    res.end = (() => {
      zip.end();
      return res;
    }) as typeof res.end;
    res.setHeader('Content-Encoding', encoding);
    return writeHead(status, headers);
  }) as typeof res.writeHead;
}
