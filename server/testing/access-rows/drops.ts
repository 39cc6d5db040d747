import type { AccessRow } from '../access-calls.ts';
import { rowFor, own, TUS } from '../access-calls.ts';

const TOKEN = 'x'.repeat(43);

const script = (path: string, headers: Record<string, string> = {}): AccessRow =>
  own(`/d/${TOKEN}/${path}`, 'public', {
    ask: () => ({ path: `/d/${TOKEN}/${path}`, headers: { ...TUS, ...headers } }),
    allow: [404, 419],
  });

export const DROP_ROWS: Record<string, AccessRow> = {
  'GET /api/drop-links': own('/api/drop-links', 'manager'),
  'POST /api/drop-links': rowFor('client', 'manager')(
    () => '/api/drop-links',
    (id) => ({ client_id: id }),
  ),
  'POST /api/drop-links/:id/address': own('/api/drop-links/99999/address', 'manager', {
    ask: () => ({ path: '/api/drop-links/99999/address', body: {} }),
    allow: [404],
  }),
  'DELETE /api/drop-links/:id': own('/api/drop-links/99999', 'manager', { allow: [404] }),
  'POST /d/:token/bind': script('bind'),
  'POST /d/:token/uploads': script('uploads', { 'upload-length': '1' }),
  'HEAD /d/:token/uploads/:id': script('uploads/x'),
  'PATCH /d/:token/uploads/:id': script('uploads/x'),
  'DELETE /d/:token/uploads/:id': script('uploads/x'),
  'POST /d/:token/open': own(`/d/${TOKEN}/open`, 'public', {
    ask: () => ({
      path: `/d/${TOKEN}/open`,
      body: Buffer.from('form=x'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    allow: [404, 419],
  }),
  'POST /d/:token/files': own(`/d/${TOKEN}/files`, 'public', {
    ask: () => ({
      path: `/d/${TOKEN}/files`,
      body: Buffer.from('form=x'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    allow: [404, 419],
  }),
};
