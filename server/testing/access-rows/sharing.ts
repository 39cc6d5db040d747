import type { AccessRow } from '../access-calls.ts';
import { rowFor, own, send } from '../access-calls.ts';

const TOKEN = 'x'.repeat(43);
const chosen = { audience: 'anyone', mode: 'view', expires_on: '2026-11-27' };
/** A shared link's pages and forms. An unknown link leads everybody to the same page, signed in or not. */
const form = (path: string): AccessRow =>
  send(`/s/${TOKEN}/${path}`, 'public', 'form=x', {
    ask: () => ({
      path: `/s/${TOKEN}/${path}`,
      body: Buffer.from('form=x'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    allow: [404],
  });
const bytes = (path: string): AccessRow => own(`/s/${TOKEN}/${path}`, 'public', { allow: [404] });

export const SHARING_ROWS: Record<string, AccessRow> = {
  'GET /api/shares': own('/api/shares', 'manager'),
  'POST /api/shares': rowFor('file', 'manager')(
    () => '/api/shares',
    (id) => ({ ...chosen, ids: [id] }),
  ),
  'GET /api/shares/items': own('/api/shares/items', 'manager'),
  'POST /api/shares/check': rowFor('file', 'manager')(
    () => '/api/shares/check',
    (id) => ({ ids: [id] }),
  ),
  'POST /api/shares/among': rowFor('file', 'manager')(
    () => '/api/shares/among',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
  'POST /api/shares/revoke': rowFor('share', 'manager')(
    () => '/api/shares/revoke',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
  'GET /api/shares/settings': own('/api/shares/settings', 'manager'),
  'PUT /api/shares/settings': send('/api/shares/settings', 'admin', { enabled: true, max_days: 90 }),
  'PATCH /api/shares/:id': rowFor('share', 'manager')(
    (id) => `/api/shares/${id}`,
    () => chosen,
  ),
  'POST /api/shares/:id/address': rowFor('share', 'manager')((id) => `/api/shares/${id}/address`),
  'POST /api/shares/:id/email': rowFor('share', 'manager')(
    (id) => `/api/shares/${id}/email`,
    () => ({ url: `/s/${TOKEN}`, emails: 'a@b.in' }),
    { allow: [422] },
  ),
  'POST /s/:token/code': form('code'),
  'POST /s/:token/verify': form('verify'),
  'POST /s/:token/password': form('password'),
  'POST /s/:token/open': form('open'),
  'POST /s/:token/download': form('download'),
  'POST /s/:token/download/all': form('download/all'),
  'POST /s/:token/download/:id': form('download/1'),
  'GET /s/:token/get/:grant': bytes(`get/${TOKEN}`),
  'GET /s/:token/files/:id': bytes('files/1'),
  'GET /s/:token/pages/:id/:page': bytes('pages/1/1'),
  'GET /s/:token/inside/:id/:page': bytes('inside/1/1?entry=a.txt'),
  'GET /s/:token/thumbnails/:id': bytes('thumbnails/1'),
};
