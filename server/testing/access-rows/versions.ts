import type { VersionRef } from '../../documents/versions/contract.ts';
import type { Gate, AccessRow } from '../access-calls.ts';
import { NO_BODY, rowFor } from '../access-calls.ts';

const at =
  (gate: Gate) =>
  (path = '', body?: unknown, more: Partial<AccessRow> = {}): AccessRow => ({
    gate,
    ask: async (made) => {
      const { item, version }: VersionRef = await made.version();
      return {
        path: `/api/documents/${item}/versions/${version}${path}`,
        ...(body !== undefined && { body }),
      };
    },
    ...more,
  });
const viewer = at('viewer');
const staff = at('staff');

/** Earlier versions of files. */
export const VERSION_ROWS: Record<string, AccessRow> = {
  'GET /api/documents/:id/versions': rowFor('file', 'viewer')((id) => `/api/documents/${id}/versions`),
  'POST /api/documents/:id/versions/:version/download-token': viewer('/download-token'),
  'GET /api/documents/:id/versions/:version/content': at('public')('/content?token=forged', NO_BODY, {
    link: true,
    allow: [403],
  }),
  'POST /api/documents/:id/versions/:version/restore': staff('/restore'),
  'PATCH /api/documents/:id/versions/:version': staff('', { kept_as: 'as filed' }),
  'DELETE /api/documents/:id/versions/:version': staff(),
  'GET /api/documents/:id/versions/:version/thumbnail': viewer('/thumbnail'),
  'GET /api/documents/:id/versions/:version/pages': viewer('/pages', NO_BODY, { allow: [404] }),
  'GET /api/documents/:id/versions/:version/pages/:page': viewer('/pages/1', NO_BODY, { allow: [404] }),
  'GET /api/documents/:id/versions/:version/view': viewer('/view', NO_BODY, { allow: [404] }),
  'GET /api/documents/:id/versions/:version/view/body': viewer('/view/body', NO_BODY, { allow: [404] }),
  'GET /api/documents/:id/versions/:version/attachments/:place': viewer('/attachments/1', NO_BODY, {
    allow: [404],
  }),
};
