import type { Role } from '#server/permissions.ts';
import type { VersionRef } from '../documents/versions/contract.ts';
import type { Account } from './access-world.ts';
import { CONTENT_TYPE, filePart, multipart } from './multipart.ts';

/** The least privileged role that the call allows; `public` needs no sign-in. */
export type Gate = Role | 'public';

/** One request; the records that it names were created just before. */
export interface ApiCall {
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Creates the records that a call needs, anew for each account that tries it. */
export interface Fixtures {
  admin: Account;
  caller: Account;
  /** The following create records of the admin's firm and return their ids. */
  file: () => Promise<number>;
  /** A file in Trash. */
  trashed: () => Promise<number>;
  zip: () => Promise<number>;
  /** An earlier version of a file. */
  version: () => Promise<VersionRef>;
  client: () => Promise<number>;
  template: () => Promise<number>;
  colleague: () => Promise<number>;
  invitation: () => Promise<number>;
  /** A label of the firm. */
  label: () => Promise<number>;
  /** A note that the caller wrote on an item. */
  note: (itemId: number) => Promise<number>;
  /** A shared link to a file. */
  share: () => Promise<number>;
  /** A document request to a client. */
  request: () => Promise<number>;
  /** A client page. */
  portal: () => Promise<number>;
}

export interface AccessRow {
  gate: Gate;
  ask: (made: Fixtures) => Promise<ApiCall> | ApiCall;
  /** Statuses, beside success, of a call that is let through: its subject may be missing in the test. */
  allow?: readonly number[];
  /**
   * Response to an admin of another firm with the same ids; default 404. `own`: the call names no record of the
   * firm; `none`: the response says that nothing was done.
   */
  foreign?: 404 | 'own' | 'none';
  /** Status for accounts that are not let through, if not 403. */
  refused?: 404;
  /** Without a session the call accepts another proof, such as a link. */
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
export const rowFor =
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
export const REFUSED = { allow: [401, 404, 409, 422] };
export const NO_BODY = undefined;
export const TUS = { 'tus-resumable': '1.0.0' };
