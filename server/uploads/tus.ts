import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Server, Upload } from '@tus/server';
import type { Actor } from '#server/actor.ts';
import { MAX_FILE_BYTES, TOO_LARGE } from '#server/documents/contract.ts';
import { AppError, badRequest, conflict, notFound, tooLarge } from '#server/http/errors.ts';
import {
  NO_DEFERRED,
  NO_PARTS,
  NO_UPLOAD,
  RESUMABLE,
  TAKEN_OVER,
  TOO_MANY_BYTES,
  WRONG_OFFSET,
} from './contract.ts';
import type { Progress, Resumable } from './resumable.ts';
import { withoutNul } from './single-request.ts';
import type { Body } from './tus-body.ts';
import { bodyOf } from './tus-body.ts';
import { lifetimeOf, UPLOAD_LIFETIME } from './upload-row.ts';

/** Milliseconds that a replaced request has to store the bytes it has read. */
const LOCK_DRAIN_MS = 1000;

/** The operations that the tus protocol needs. */
export type TusUploads = Pick<Resumable, 'begin' | 'progress' | 'append' | 'cancel' | 'locker'>;

/** A `@tus/server` store with the uploads of one user. */
class UserUploads extends DataStore {
  readonly resumable: TusUploads;
  readonly actor: Actor;
  readonly body: Body;

  constructor(resumable: TusUploads, actor: Actor, body: Body) {
    super();
    this.resumable = resumable;
    this.actor = actor;
    this.body = body;
    this.extensions = ['creation', 'creation-with-upload', 'expiration', 'termination'];
  }

  override async create(upload: Upload): Promise<Upload> {
    const { id, size = NaN } = upload;
    const { filename, name, ...fields } = Object.fromEntries(
      Object.entries(upload.metadata ?? {}).map(([key, value]) => [key, withoutNul(value ?? '')]),
    );
    await this.resumable.begin(this.actor, { id, name: filename ?? name ?? '', size, fields });
    const left = lifetimeOf({ door: this.actor.recipient?.door ?? null, received: 0 });
    upload.creation_date = creationDate(left);
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    return asUpload(await this.resumable.progress(this.actor, id));
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    try {
      return await this.resumable.append(this.actor, id, offset, this.body.read(stream));
    } finally {
      this.body.close();
    }
  }

  override remove(id: string): Promise<void> {
    return this.resumable.cancel(this.actor, id);
  }

  override getExpiration(): number {
    return UPLOAD_LIFETIME;
  }
}

/** The library adds the lifetime to the creation date, and compares with the system clock. */
const creationDate = (left: number): string => new Date(Date.now() + left - UPLOAD_LIFETIME).toISOString();

const asUpload = ({ id, size, received, left }: Progress): Upload =>
  new Upload({ id, size, offset: received, creation_date: creationDate(left) });

/** The successful response of the library; errors are thrown. */
interface TusResponse {
  status: number;
  headers: Headers;
}

/**
 * Handles tus 1.0.0 requests of `actor`: POST creates an upload, HEAD returns its offset, PATCH appends, DELETE cancels.
 * Each request gets its own `Server` instance, because the library does not tell its store who the user is.
 */
export function createTus(resumable?: TusUploads) {
  /** @param path prefix of the uploads' addresses. @param store overrides the default store. */
  return async function answer(
    actor: Actor,
    request: IncomingMessage,
    url: string,
    { path = RESUMABLE, store = resumable }: { path?: string; store?: TusUploads } = {},
  ): Promise<TusResponse> {
    let failure: unknown;
    const body = bodyOf(request);
    const server = new Server({
      path,
      relativeLocation: true,
      datastore: new UserUploads(store!, actor, body),
      locker: store!.locker,
      lockDrainTimeout: LOCK_DRAIN_MS,
      maxSize: MAX_FILE_BYTES,
      onResponseError(_request, error) {
        failure = error;
        return undefined;
      },
    });
    const method = request.method ?? 'GET';
    const headers = new Headers();
    for (const name of TUS_HEADERS) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const init = { method, headers, body: body.webStream, duplex: 'half' };
    const response = await server.handleWeb(new Request(url, init as RequestInit) as never);
    if (failure !== undefined) throw toAppError(failure);
    if (response.status >= 400)
      throw toAppError({ status_code: response.status, body: await response.text() });
    if (response.headers.get('connection') === 'close') throw toAppError(ERRORS.ABORTED);
    return { status: response.status, headers: response.headers };
  };
}

export type Tus = ReturnType<typeof createTus>;

/** Request headers of the protocol; no others are passed to the library. */
const TUS_HEADERS = [
  'tus-resumable',
  'upload-length',
  'upload-defer-length',
  'upload-offset',
  'upload-metadata',
  'upload-concat',
  'content-type',
  'content-length',
];

/** Translates the library's errors, which are plain objects. */
function toAppError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { status_code, body } = error as { status_code?: number; body?: string };
  if (error === ERRORS.UNSUPPORTED_CREATION_DEFER_LENGTH_EXTENSION) return badRequest(NO_DEFERRED, 'tus');
  if (error === ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION) return badRequest(NO_PARTS, 'tus');
  if (status_code === undefined || status_code >= 500) return error;
  if (error === ERRORS.ABORTED) return badRequest(TAKEN_OVER, 'taken_over');
  if (status_code === 404) return notFound(NO_UPLOAD);
  if (status_code === 409) return conflict(WRONG_OFFSET, 'wrong_offset');
  if (error === ERRORS.ERR_SIZE_EXCEEDED) return tooLarge(TOO_MANY_BYTES);
  if (status_code === 413) return tooLarge(TOO_LARGE);
  return new AppError(status_code, 'tus', (body ?? 'This is not how tus 1.0.0 is spoken.').trim());
}
