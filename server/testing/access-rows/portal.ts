import type { AccessRow } from '../access-calls.ts';
import { rowFor, own } from '../access-calls.ts';

const TOKEN = 'x'.repeat(43);

const form = (path: string): AccessRow =>
  own(`/c/${TOKEN}/${path}`, 'public', {
    ask: () => ({
      path: `/c/${TOKEN}/${path}`,
      body: Buffer.from('form=x'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    allow: [404],
  });

export const PORTAL_ROWS: Record<string, AccessRow> = {
  'GET /api/client-pages': own('/api/client-pages', 'manager'),
  'POST /api/client-pages': rowFor('client', 'manager')(
    () => '/api/client-pages',
    (id) => ({ client_id: id, emails: 'priya@sharma.in' }),
  ),
  'POST /api/client-pages/:id/address': rowFor(
    'portal',
    'manager',
  )((id) => `/api/client-pages/${id}/address`),
  'POST /api/client-pages/:id/email': rowFor('portal', 'manager')(
    (id) => `/api/client-pages/${id}/email`,
    () => ({ emails: 'priya@sharma.in' }),
  ),
  'DELETE /api/client-pages/:id': rowFor('portal', 'manager')((id) => `/api/client-pages/${id}`),
  'POST /c/:token/code': form('code'),
  'POST /c/:token/verify': form('verify'),
  'POST /c/:token/leave': form('leave'),
  'GET /c/:token/links/:id': own(`/c/${TOKEN}/links/1`, 'public', { allow: [404] }),
};
