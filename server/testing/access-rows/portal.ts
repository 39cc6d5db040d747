import type { Row } from '../access-calls.ts';
import { of, own } from '../access-calls.ts';

const TOKEN = 'x'.repeat(43);

const form = (path: string): Row =>
  own(`/c/${TOKEN}/${path}`, 'public', {
    ask: () => ({
      path: `/c/${TOKEN}/${path}`,
      body: Buffer.from('form=x'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    also: [404],
  });

export const PORTAL_ROWS: Record<string, Row> = {
  'GET /api/client-pages': own('/api/client-pages', 'manager'),
  'POST /api/client-pages': of('client', 'manager')(
    () => '/api/client-pages',
    (id) => ({ client_id: id, emails: 'priya@sharma.in' }),
  ),
  'POST /api/client-pages/:id/address': of('portal', 'manager')((id) => `/api/client-pages/${id}/address`),
  'POST /api/client-pages/:id/email': of('portal', 'manager')(
    (id) => `/api/client-pages/${id}/email`,
    () => ({ emails: 'priya@sharma.in' }),
  ),
  'DELETE /api/client-pages/:id': of('portal', 'manager')((id) => `/api/client-pages/${id}`),
  'POST /c/:token/code': form('code'),
  'POST /c/:token/verify': form('verify'),
  'POST /c/:token/leave': form('leave'),
  'GET /c/:token/links/:id': own(`/c/${TOKEN}/links/1`, 'public', { also: [404] }),
};
