import type { Role } from '#server/actor.ts';
import type { VersionRef } from '../documents/versions/contract.ts';
import type { Account } from './access-world.ts';
import { CONTENT_TYPE, filePart, multipart } from './multipart.ts';

/** Who gets through: those of this role and of the roles above it. `public` is everybody, signed in or not. */
export type Gate = Role | 'public';

/** One call, for which everything that it names was made just before. */
export interface ApiCall {
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** What a call needs to succeed, made anew for each who tries it. */
export interface Fixtures {
  admin: Account;
  caller: Account;
  /** Ids of things of the admin's firm. */
  file: () => Promise<number>;
  /** A file in Trash. */
  trashed: () => Promise<number>;
  zip: () => Promise<number>;
  /** What a file held before it was replaced. */
  version: () => Promise<VersionRef>;
  client: () => Promise<number>;
  template: () => Promise<number>;
  colleague: () => Promise<number>;
  invitation: () => Promise<number>;
  /** A label of the firm. */
  label: () => Promise<number>;
  /** A note that the caller has written on an item. */
  note: (itemId: number) => Promise<number>;
  /** A link to a file. */
  share: () => Promise<number>;
  /** What a client was asked to send. */
  request: () => Promise<number>;
  /** A client's own page. */
  portal: () => Promise<number>;
}

export interface AccessRow {
  gate: Gate;
  ask: (made: Fixtures) => Promise<ApiCall> | ApiCall;
  /** What a call that is let through may still be answered, beside success: what was asked for is not there to be had. */
  alsoAllowed?: readonly number[];
  /**
   * What an admin of another firm gets with the same ids: 404 unless said otherwise. `own`: the call names nothing of
   * anybody's; `none`: the answer tells that nothing was done.
   */
  foreign?: 404 | 'own' | 'none';
  /** What those who are not let through get, if not 403. */
  refused?: 404;
  /** Without a session it is answered by another proof, such as a link. */
  link?: true;
}

export const own = (path: string, gate: Gate, more: Partial<AccessRow> = {}): AccessRow => ({
  gate,
  ask: () => ({ path }),
  foreign: 'own',
  ...more,
});
export const send = (path: string, gate: Gate, body: unknown, more: Partial<AccessRow> = {}): AccessRow => ({
  gate,
  ask: () => ({ path, body }),
  foreign: 'own',
  ...more,
});
export const withFixture =
  (
    what:
      | 'file'
      | 'trashed'
      | 'zip'
      | 'client'
      | 'template'
      | 'colleague'
      | 'invitation'
      | 'share'
      | 'request'
      | 'portal',
    gate: Gate,
  ) =>
  (
    path: (id: number) => string,
    body?: (id: number) => unknown,
    more: Partial<AccessRow> = {},
  ): AccessRow => ({
    gate,
    ask: async (made) => {
      const id = await made[what]();
      return { path: path(id), ...(body && { body: body(id) }) };
    },
    ...more,
  });
export const uploadRow = (path: string, gate: Gate, name: string, content: string): AccessRow => ({
  gate,
  ask: () => ({
    path,
    body: multipart([filePart(name, content)]),
    headers: { 'content-type': CONTENT_TYPE },
  }),
  foreign: 'own',
});
export const ANY_REFUSAL = { alsoAllowed: [401, 404, 409, 422] };
export const NO_BODY = undefined;
export const TUS = { 'tus-resumable': '1.0.0' };
