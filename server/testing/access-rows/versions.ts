import type { VersionRef } from '../../documents/versions/contract.ts';
import type { Gate, Row } from '../access-calls.ts';
import { noBody, of } from '../access-calls.ts';

const at =
  (gate: Gate) =>
  (path = '', body?: unknown, more: Partial<Row> = {}): Row => ({
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

/** The calls on what files held before. */
export const VERSION_ROWS: Record<string, Row> = {
  'GET /api/documents/:id/versions': of('file', 'viewer')((id) => `/api/documents/${id}/versions`),
  'POST /api/documents/:id/versions/:version/download-token': viewer('/download-token'),
  'GET /api/documents/:id/versions/:version/content': at('public')('/content?token=forged', noBody, {
    link: true,
    also: [403],
  }),
  'POST /api/documents/:id/versions/:version/restore': staff('/restore'),
  'PATCH /api/documents/:id/versions/:version': staff('', { kept_as: 'as filed' }),
  'DELETE /api/documents/:id/versions/:version': staff(),
  'GET /api/documents/:id/versions/:version/thumbnail': viewer('/thumbnail'),
  'GET /api/documents/:id/versions/:version/pages': viewer('/pages', noBody, { also: [404] }),
  'GET /api/documents/:id/versions/:version/pages/:page': viewer('/pages/1', noBody, { also: [404] }),
  'GET /api/documents/:id/versions/:version/view': viewer('/view', noBody, { also: [404] }),
  'GET /api/documents/:id/versions/:version/view/body': viewer('/view/body', noBody, { also: [404] }),
  'GET /api/documents/:id/versions/:version/attachments/:place': viewer('/attachments/1', noBody, {
    also: [404],
  }),
};
