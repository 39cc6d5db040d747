import type {
  Compared,
  CompareContent,
  DeviceSelf,
  FindFolder,
  FoundFolder,
  Paired,
  ClaimToken,
  Platform,
  Release,
  TargetClient,
  TargetFolders,
} from '#server/devices/contract.ts';
import type { Answer, Call } from './http.ts';
import { BodyFault, call } from './http.ts';
import { disconnection, parsed, refusal, Trouble } from './trouble.ts';

const UPLOADS = '/api/documents/resumable';
const DESKTOP = '/api/desktop';

export interface Item {
  id: number;
  name: string;
}
/** Where an upload is, and the item where it is finished, or was there before. */
export interface Upload {
  url: string;
  item: Item | null;
  there: boolean;
}

/** Which build speaks, as the vault lists it. */
export interface Program {
  version: string;
  platform: Platform;
}

/** The calls that the program makes. Every one throws `Trouble` for what the vault or the network refuses. */
export function createVaultClient(base: string, token: string | null, program: Program) {
  const always: Record<string, string> = {
    'user-agent': `AlmirahUploader/${program.version} (${program.platform})`,
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };

  async function ask(path: string, { headers, ...rest }: Call): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await call(base + path, { ...rest, headers: { ...always, ...headers } });
    } catch (error) {
      // A file that cannot be read holds up itself, and not its vault.
      throw error instanceof BodyFault ? error.cause : disconnection(error);
    }
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw refusal(answer);
  }
  async function json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { text } = await ask(`${DESKTOP}${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(body)),
      }),
    });
    const { data } = parsed(text);
    if (data === undefined) throw new Trouble('file', 'This address does not answer as a vault does.');
    return data as T;
  }
  /** Bytes of a file which the vault compares itself when it is sent; known once it has compared one. */
  let bySending = 0;
  /** What is asked for is mostly as the one before it was. */
  let lastWasThere = false;
  const tus = { 'tus-resumable': '1.0.0' };
  const itemOf = (text: string): Item | null => {
    const data = parsed(text).data as Partial<Item> | undefined;
    return typeof data?.id === 'number' && typeof data.name === 'string'
      ? { id: data.id, name: data.name }
      : null;
  };

  return {
    base,
    me: () => json<DeviceSelf>('GET', '/me'),
    leave: () => json<null>('DELETE', '/me'),
    token: (claim: ClaimToken) => json<Paired>('POST', '/token', claim),
    latest: () => json<Release>('GET', '/latest'),
    folders: (parent: number | null) => json<TargetFolders>('GET', `/folders?parent=${parent ?? 'root'}`),
    clients: (q: string) => json<TargetClient[]>('GET', `/clients?q=${encodeURIComponent(q)}`),
    folder: (which: FindFolder) => json<FoundFolder>('POST', '/folders', which),
    /** Whether to ask for a content of so many bytes before it is sent; otherwise it says its hash when it is. */
    asksFirst: (size: number): boolean => lastWasThere || size > bySending,
    lastWasThere: (): boolean => lastWasThere,
    async compare(content: CompareContent): Promise<Compared> {
      const compared = await json<Compared>('POST', '/compare', content);
      bySending = compared.by_sending ?? 0;
      lastWasThere = compared.exists !== null;
      return compared;
    },

    /** Begins an upload, or finds the one of the same key. With `body`, which is then all of the file, it sends it as well. */
    async begin(
      metadata: Record<string, string>,
      size: number,
      { body, signal }: { body?: AsyncIterable<Buffer>; signal?: AbortSignal },
    ): Promise<Upload> {
      const { status, headers, text } = await ask(UPLOADS, {
        method: 'POST',
        headers: {
          ...tus,
          'upload-length': String(size),
          'upload-metadata': Object.entries(metadata)
            .map(([name, value]) =>
              value === '' ? name : `${name} ${Buffer.from(value).toString('base64')}`,
            )
            .join(','),
          ...(body && { 'content-type': 'application/offset+octet-stream' }),
        },
        ...(body && { body, length: size }),
        signal,
      });
      const url = headers.location ? new URL(headers.location, base + UPLOADS).pathname : '';
      const whole = status === 200 || Number(headers['upload-offset'] ?? -1) === size;
      const item = whole ? itemOf(text) : null;
      // It went up before, and was deleted there: whether it is to come again is for the person to say.
      if (status === 200 && !item) throw new Trouble('file', parsed(text).message ?? '');
      const there = body !== undefined && status === 200;
      lastWasThere ||= there;
      return { url, item, there };
    },
    /** Bytes that the vault has. */
    async offset(url: string): Promise<number> {
      const { headers } = await ask(url, { method: 'HEAD', headers: tus });
      return Number(headers['upload-offset'] ?? 0);
    },
    /** @returns the item where this was the end. */
    async send(
      url: string,
      offset: number,
      body: AsyncIterable<Buffer>,
      length: number,
      signal: AbortSignal,
    ): Promise<{ offset: number; item: Item | null }> {
      const { status, headers, text } = await ask(url, {
        method: 'PATCH',
        headers: {
          ...tus,
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
        },
        body,
        length,
        signal,
      });
      return {
        offset: Number(headers['upload-offset'] ?? offset + length),
        item: status === 200 ? itemOf(text) : null,
      };
    },
    /** What became of an upload. */
    async outcome(url: string): Promise<Item | null> {
      const { text } = await ask(url, { method: 'GET' });
      // While it goes on, its id is no number.
      return itemOf(text);
    },
    /** Gives an upload up. */
    async cancel(url: string): Promise<void> {
      await ask(url, { method: 'DELETE', headers: tus });
    },
  };
}
export type VaultClient = ReturnType<typeof createVaultClient>;
