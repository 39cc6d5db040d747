import type { ClientRequest } from 'node:http';
import { request } from 'node:http';
import type { Actor } from '#server/actor.ts';
import { PASSWORD } from '#server/testing/build.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

export interface DavResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Call {
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends WebDAV requests like a program; the path is sent as given. */
export type Program = (method: string, path: string, call?: Call) => Promise<DavResponse>;

export interface DriveWorld extends World {
  base: string;
  account: Awaited<ReturnType<World['build']['account']>>;
  actor: Actor;
  /** A program of the account, with an app password for the whole drive. */
  dav: Program;
  /** Another program, with an app password of its own. */
  program(
    who?: { actor: Actor; email: string },
    more?: { read_only?: boolean; folder_id?: number | null; name?: string },
  ): Promise<Program>;
  /** One more app password of the account. */
  credentials(): Promise<{ user: string; password: string }>;
  /** Names in a folder, as the web lists them. */
  names(folder?: number | null): Promise<string[]>;
  content(id: number): Promise<string>;
}

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

function sendRequest(
  { base, user, password }: Login,
  {
    method,
    path,
    headers = {},
  }: { method: string; path: string; headers?: Record<string, string> | undefined },
  send: (sent: ClientRequest) => void,
): Promise<DavResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const sent = request(
      {
        agent: false,
        method,
        hostname,
        port,
        path,
        headers: { authorization: basic(user, password), ...headers },
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text: Buffer.concat(pieces).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    send(sent);
  });
}

interface Login {
  base: string;
  user: string;
  password: string;
}

export const caller =
  (base: string, user: string, password: string): Program =>
  (method, path, { headers, body } = {}) =>
    sendRequest({ base, user, password }, { method, path, headers }, (sent) => sent.end(body));

/** How long a request needs at most to be checked until its body is awaited. */
const CHECKED_MS = 400;

/**
 * A program on a slow line: it sends the headers and the first letter, which the server checks.
 * @returns a function that sends the rest and awaits the response.
 */
export const slowCaller =
  (base: string, user: string, password: string) =>
  async (
    path: string,
    body: string,
    headers: Record<string, string> = {},
    method = 'PUT',
  ): Promise<() => Promise<DavResponse>> => {
    let end = (): void => {};
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const response = sendRequest(
      { base, user, password },
      { method, path, headers: { ...length, ...headers } },
      (sent) => {
        sent.write(body.slice(0, 1));
        end = () => void sent.end(body.slice(1));
      },
    );
    await new Promise((resolve) => setTimeout(resolve, CHECKED_MS));
    return () => {
      end();
      return response;
    };
  };

/** An office that is served, with a program that has an app password. */
export async function driveWorld(options: Parameters<typeof freshWorld>[0] = {}): Promise<DriveWorld> {
  const world = await freshWorld(options);
  const base = await world.serve();
  const account = await world.build.account();
  const program: DriveWorld['program'] = async (who = account, more = {}) => {
    const settings = { name: 'Explorer on office PC', read_only: false, folder_id: null, ...more };
    const request = { ...settings, current_password: PASSWORD };
    const { password } = await world.services.drivePasswords.create(who.actor, request);
    return caller(base, who.email, password);
  };
  return {
    ...world,
    base,
    account,
    actor: account.actor,
    dav: await program(),
    program,
    async credentials() {
      const request = { name: 'A tool', read_only: false, folder_id: null, current_password: PASSWORD };
      const { password } = await world.services.drivePasswords.create(account.actor, request);
      return { user: account.email, password };
    },
    async names(folder = null) {
      const { items } = await world.services.documents.folder(account.actor, folder);
      return items.map(({ name }) => name);
    },
    async content(id) {
      const { blob_id } = await world.services.documents.openFile(account.actor, id);
      let text = '';
      for await (const piece of await world.blobs.get(blob_id)) text += String(piece);
      return text;
    },
  };
}

/** The hrefs of a multistatus response, in order. */
export const hrefs = ({ text }: DavResponse): string[] =>
  [...text.matchAll(/<d:href>(\/dav[^<]*)<\/d:href>/g)].map(([, href]) => href!);
