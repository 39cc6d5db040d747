import type { ServerResponse } from 'node:http';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Context } from 'koa';
import type { RequestState } from './context.ts';

const MAKE = {
  // The default, 11, takes a hundred times as long for a tenth less.
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 5 }),
};

/**
 * How this page may be compressed for who asks; null for not at all.
 *
 * The length of a compressed page tells whether a guess within it stands there twice (BREACH). No secret of ours is in
 * a page: the CSRF value and the session are cookies, links to files are asked for by a call. But a client's PAN is,
 * beside a search that the address chooses, so what another site had opened in a signed-in browser goes out plain.
 * Only old browsers, and all of them where there is no HTTPS to listen at, do not say which site it was.
 */
function encodingFor(ctx: Context): keyof typeof MAKE | null {
  const from = ctx.get('sec-fetch-site');
  const foreign = from !== '' && from !== 'same-origin' && from !== 'none';
  if (ctx.method !== 'GET' || (foreign && (ctx.state as RequestState).actor)) return null;
  return (['br', 'gzip'] as const).find((encoding) => ctx.acceptsEncodings(encoding)) ?? null;
}

/** Has what is written to the response as HTML from now on go out compressed, while it is being written. */
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
    const zip = MAKE[encoding]();
    zip.on('data', (chunk: Buffer) => write(chunk));
    zip.on('end', () => end());
    res.on('close', () => zip.destroy());
    let begun = false;
    res.write = ((chunk: Uint8Array, told?: () => void) => {
      const going = zip.write(chunk, told);
      // The head goes ahead: the browser fetches styles and scripts while the rest is being rendered.
      if (!begun) zip.flush();
      begun = true;
      return going;
    }) as typeof res.write;
    res.end = (() => {
      zip.end();
      return res;
    }) as typeof res.end;
    res.setHeader('Content-Encoding', encoding);
    return writeHead(status, headers);
  }) as typeof res.writeHead;
}
