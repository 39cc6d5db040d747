import type { Server } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const SUFFIX = '.txt';

/** `/dav/litmus/res` as `/dav/litmus.txt/res.txt`. */
const longer = (path: string): string =>
  path.replace(
    /^((?:https?:\/\/[^/]+)?\/dav)((?:\/[^/?#<>]+)+)/,
    (_, head: string, names: string) => head + names.replace(/\/([^/]+)/g, `/$1${SUFFIX}`),
  );
const shorter = (text: string): string =>
  text
    .replace(
      /<d:href>(\/dav[^<]*)<\/d:href>/g,
      (_, path: string) => `<d:href>${path.replaceAll(SUFFIX, '')}</d:href>`,
    )
    .replace(/<d:displayname>([^<]*)\.txt<\/d:displayname>/g, '<d:displayname>$1</d:displayname>');

/**
 * Stands between a test suite that saves files without a type, which the vault does not keep, and the drive: each name
 * has `.txt` behind it there. Nothing else is changed.
 * @returns its address, and what ends it.
 */
export async function suffixing(base: string): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(base);
  const server: Server = createServer((req, res) => {
    const headers = { ...req.headers };
    if (headers['destination']) headers['destination'] = longer(String(headers['destination']));
    if (headers['if'])
      headers['if'] = String(headers['if']).replace(
        /<(https?:[^<>]+)>/g,
        (_, url: string) => `<${longer(url)}>`,
      );
    const sent = request(
      { hostname, port, method: req.method, path: longer(req.url ?? '/'), headers },
      (got) => {
        const pieces: Buffer[] = [];
        got.on('data', (piece: Buffer) => pieces.push(piece));
        got.on('end', () => {
          const bytes = Buffer.concat(pieces);
          const isXml = String(got.headers['content-type']).includes('xml');
          const body = isXml ? Buffer.from(shorter(bytes.toString())) : bytes;
          const { 'content-length': _, 'transfer-encoding': _t, ...rest } = got.headers;
          const length =
            req.method === 'HEAD' || got.statusCode === 204 || got.statusCode === 304
              ? {}
              : { 'content-length': body.length };
          res.writeHead(got.statusCode!, { ...rest, ...length });
          res.end(body);
        });
      },
    );
    sent.on('error', () => res.destroy());
    req.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
