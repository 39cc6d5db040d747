import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '#desktop/engine.ts';
import type { System } from './calls.ts';
import { UserError, windowCalls } from './calls.ts';
import { createAccess } from './access.ts';
import { stateOf } from './state.ts';

const MAX_BODY_BYTES = 1024 * 1024;
/** Ms between two state updates. */
const UPDATE_MS = 250;
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Files of the page, by path. */
export type Assets = (path: string) => { type: string; content: string } | undefined;

/** Serves the window to the local browser, and receives the redirect of a pairing. */
export async function openWindow(engine: Engine, system: System, assets: Assets) {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  const port = () => (server.address() as AddressInfo).port;
  const access = createAccess(port);
  const calls = windowCalls(engine, system, port);
  const streams = new Set<ServerResponse>();
  const currentState = async () =>
    stateOf(engine, {
      autostart: (await system.autostart?.get()) ?? null,
      update: system.update?.available() ?? null,
    });

  let pendingUpdate: NodeJS.Timeout | undefined;
  const unsubscribe = engine.onChange(() => {
    // Without an open window nothing is sent.
    if (streams.size > 0) pendingUpdate ??= setTimeout(() => void publishState(), UPDATE_MS);
  });
  async function publishState(): Promise<void> {
    pendingUpdate = undefined;
    const text = `data: ${JSON.stringify(await currentState())}\n\n`;
    for (const stream of streams) stream.write(text);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-store');
    if (!access.isHere(request)) return end(response, 403, 'text/plain', 'This is not for you.');
    const url = new URL(request.url ?? '/', `http://127.0.0.1:${port()}`);
    try {
      await route(request, response, url);
    } catch (error) {
      // A TypeError is a defect of this program; the other errors say what happened in words for the user.
      const isForUser = error instanceof Error && !(error instanceof TypeError);
      const message = isForUser ? error.message : 'This did not work. Please try again.';
      json(response, 400, { message });
    }
  }

  async function route(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { pathname, searchParams: query } = url;
    if (request.method === 'GET' && pathname === '/open') {
      const cookie = access.admit(query.get('key') ?? '');
      if (cookie) response.setHeader('Set-Cookie', cookie);
      response.setHeader('Location', '/');
      return end(response, 303, 'text/plain', '');
    }
    if (request.method === 'GET' && pathname === '/connected') return connected(response, query);
    const asset = request.method === 'GET' ? assets(pathname) : undefined;
    // Style and code are not confidential; a visitor without the cookie gets a page that explains how to open
    // the window.
    if (asset) {
      const page = asset.type.startsWith('text/html') && !access.isOurs(request) ? assets('/closed') : asset;
      return end(response, 200, page!.type, page!.content);
    }
    if (!access.isOurs(request))
      return json(response, 403, { message: 'Open this window from Almirah Uploader.' });
    if (request.method === 'GET' && pathname === '/api/events') return openStream(request, response);
    if (request.method === 'GET' && pathname === '/api/state')
      return json(response, 200, await currentState());

    const id = /^\/api\/\w+\/(\d{1,15})(?:\/|$)/.exec(pathname)?.[1];
    const call = calls[`${request.method} ${id ? pathname.replace(`/${id}`, '/:id') : pathname}`];
    if (!call) return json(response, 404, { message: 'There is nothing here.' });
    const body = pathname === '/api/drop' ? {} : await bodyOf(request);
    const result = await call({ id: Number(id ?? 0), body, query, raw: request });
    json(response, 200, { data: result ?? null });
  }

  async function connected(response: ServerResponse, query: URLSearchParams): Promise<void> {
    let words: string;
    try {
      const { firm_name } = await engine.pairing.connected(query.get('code') ?? '', query.get('state') ?? '');
      words = `This computer is connected with ${firm_name}. You can close this tab and go on in Almirah Uploader.`;
    } catch (error) {
      words = error instanceof Error ? error.message : 'This did not work. Begin again in Almirah Uploader.';
    }
    engine.changed();
    const page = assets('/connected')!;
    end(
      response,
      200,
      page.type,
      page.content.replace('{{words}}', () => escaped(words)),
    );
  }

  function openStream(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    streams.add(response);
    request.once('close', () => streams.delete(response));
    void publishState();
  }

  return {
    port: port(),
    address: access.address,
    /** Whether a window is open. */
    isOpen: () => streams.size > 0,
    async close(): Promise<void> {
      unsubscribe();
      clearTimeout(pendingUpdate);
      server.close();
      server.closeAllConnections();
    },
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function end(response: ServerResponse, status: number, type: string, content: string): void {
  response.writeHead(status, { 'Content-Type': type });
  response.end(content);
}
const json = (response: ServerResponse, status: number, value: unknown): void =>
  end(response, status, 'application/json', JSON.stringify(value));

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    if ((size += piece.length) > MAX_BODY_BYTES) throw new UserError('This is too much at once.');
    pieces.push(piece);
  }
  const value: unknown = size === 0 ? {} : JSON.parse(Buffer.concat(pieces).toString('utf8'));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
