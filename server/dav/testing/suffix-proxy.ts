import type { Server } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const SUFFIX = '.txt';

/** Turns `/dav/litmus/res` into `/dav/litmus.txt/res.txt`. */
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
 * A proxy between the drive and a test suite that uses file names without an extension, which the vault
 * rejects: it appends `.txt` to each name.
 * @returns its URL, and how to close it.
 */
export async function startSuffixProxy(base: string): Promise<{ url: string; close(): void }> {
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
      (upstream) => {
        const pieces: Buffer[] = [];
        upstream.on('data', (piece: Buffer) => pieces.push(piece));
        upstream.on('end', () => {
          const bytes = Buffer.concat(pieces);
          const isXml = String(upstream.headers['content-type']).includes('xml');
          const body = isXml ? Buffer.from(shorter(bytes.toString())) : bytes;
          const { 'content-length': _, 'transfer-encoding': _t, ...rest } = upstream.headers;
          const length =
            req.method === 'HEAD' || upstream.statusCode === 204 || upstream.statusCode === 304
              ? {}
              : { 'content-length': body.length };
          res.writeHead(upstream.statusCode!, { ...rest, ...length });
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
