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
} from '#server/desktop/contract.ts';
import { DESKTOP, RESUMABLE } from '#server/desktop/contract.ts';
import type { HttpResponse, Call } from './http.ts';
import { BodyFault, call } from './http.ts';
import { disconnection, parsed, refusal, UploadError } from './upload-error.ts';

export interface Item {
  id: number;
  name: string;
}
/** The state of an upload, with the item once it is finished or existed before. */
export interface Upload {
  url: string;
  item: Item | null;
  existed: boolean;
}

/** The program's version and platform, for the vault's list of devices. */
export interface Program {
  version: string;
  platform: Platform;
}

/** The API calls of the program. Each throws `Trouble` when the vault or the network refuses it. */
export function createVaultClient(base: string, token: string | null, program: Program) {
  const always: Record<string, string> = {
    'user-agent': `AlmirahUploader/${program.version} (${program.platform})`,
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };

  async function ask(path: string, { headers, ...rest }: Call): Promise<HttpResponse> {
    let answer: HttpResponse;
    try {
      answer = await call(base + path, { ...rest, headers: { ...always, ...headers } });
    } catch (error) {
      // A file that cannot be read must not put its vault on hold.
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
    if (data === undefined) throw new UploadError('file', 'This address does not answer as a vault does.');
    return data as T;
  }
  /** Up to this size the vault compares the content during the upload; known after the first comparison. */
  let comparedOnUpload = 0;
  /** Whether the last content was already there; the next one mostly is like it. */
  let lastExisted = false;
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
    /** Whether to compare a content of this size before the upload; otherwise the upload carries its hash. */
    comparesFirst: (size: number): boolean => lastExisted || size > comparedOnUpload,
    lastExisted: (): boolean => lastExisted,
    async compare(content: CompareContent): Promise<Compared> {
      const compared = await json<Compared>('POST', '/compare', content);
      comparedOnUpload = compared.by_sending ?? 0;
      lastExisted = compared.exists !== null;
      return compared;
    },

    /** Starts an upload, or finds that of the same key. `body`, if given, is the whole file. */
    async begin(
      metadata: Record<string, string>,
      size: number,
      { body, signal }: { body?: AsyncIterable<Buffer>; signal?: AbortSignal },
    ): Promise<Upload> {
      const { status, headers, text } = await ask(RESUMABLE, {
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
      const url = headers.location ? new URL(headers.location, base + RESUMABLE).pathname : '';
      const isComplete = status === 200 || Number(headers['upload-offset'] ?? -1) === size;
      const item = isComplete ? itemOf(text) : null;
      // The file was uploaded before and deleted in the vault: the user decides whether to upload it again.
      if (status === 200 && !item) throw new UploadError('file', parsed(text).message ?? '');
      const existed = body !== undefined && status === 200;
      lastExisted ||= existed;
      return { url, item, existed };
    },
    /** The bytes that the vault has. */
    async offset(url: string): Promise<number> {
      const { headers } = await ask(url, { method: 'HEAD', headers: tus });
      return Number(headers['upload-offset'] ?? 0);
    },
    /** @returns the item after the last byte. */
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
    /** The result of an upload. */
    async outcome(url: string): Promise<Item | null> {
      const { text } = await ask(url, { method: 'GET' });
      // While the upload is unfinished, its id is not a number.
      return itemOf(text);
    },
    /** Cancels an upload. */
    async cancel(url: string): Promise<void> {
      await ask(url, { method: 'DELETE', headers: tus });
    },
  };
}
export type VaultClient = ReturnType<typeof createVaultClient>;
