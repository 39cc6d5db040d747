import type { AccessRow } from '../access-calls.ts';
import { rowFor, own, send, TUS } from '../access-calls.ts';

const TOKEN = 'x'.repeat(43);
const asked = {
  title: 'ITR FY 2025-26',
  rows: ['Form 16'],
  due_on: null,
  language: 'en',
  reminders: { before: null, on: false, after: null },
};
const GONE = { allow: [404, 419] };
/** A client's forms behind a request's link. For an unknown link everybody gets the same response, signed in or not. */
const form = (path: string): AccessRow =>
  send(`/r/${TOKEN}/${path}`, 'public', 'form=x', {
    ask: () => ({
      path: `/r/${TOKEN}/${path}`,
      body: Buffer.from('form=x'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    ...GONE,
  });
const upload = (path: string, headers: Record<string, string> = {}): AccessRow =>
  own(`/r/${TOKEN}/${path}`, 'public', {
    ask: () => ({ path: `/r/${TOKEN}/${path}`, headers: { ...TUS, ...headers } }),
    ...GONE,
  });

export const REQUEST_ROWS: Record<string, AccessRow> = {
  'GET /api/requests': own('/api/requests', 'manager'),
  'POST /api/requests': rowFor('client', 'manager')(
    () => '/api/requests',
    (id) => ({ ...asked, client_ids: [id] }),
  ),
  'GET /api/requests/languages': own('/api/requests/languages?clients=99999', 'manager'),
  'GET /api/requests/templates': own('/api/requests/templates', 'manager'),
  'POST /api/requests/templates': send('/api/requests/templates', 'manager', {
    name: 'Ours',
    rows: ['Form 16'],
  }),
  'DELETE /api/requests/templates/:id': own('/api/requests/templates/99999', 'manager', {
    allow: [404],
    foreign: 404,
  }),
  'GET /api/requests/:id': rowFor('request', 'manager')((id) => `/api/requests/${id}`),
  'PUT /api/requests/:id': rowFor('request', 'manager')(
    (id) => `/api/requests/${id}`,
    () => ({ ...asked, email: '', rows: [{ name: 'Form 16' }] }),
  ),
  'DELETE /api/requests/:id': rowFor('request', 'manager')((id) => `/api/requests/${id}`),
  'POST /api/requests/:id/link': rowFor('request', 'manager')((id) => `/api/requests/${id}/link`),
  'POST /api/requests/:id/address': rowFor('request', 'manager')((id) => `/api/requests/${id}/address`),
  'POST /api/requests/:id/remind': rowFor('request', 'manager')(
    (id) => `/api/requests/${id}/remind`,
    undefined,
    {
      allow: [422],
    },
  ),
  'POST /api/requests/:id/close': rowFor('request', 'manager')((id) => `/api/requests/${id}/close`),
  'POST /api/requests/:id/reopen': rowFor('request', 'manager')((id) => `/api/requests/${id}/reopen`),
  'PATCH /api/requests/:id/rows/:row': rowFor('request', 'manager')(
    (id) => `/api/requests/${id}/rows/99999`,
    () => ({ state: 'accepted' }),
    { allow: [404] },
  ),
  'PATCH /api/requests/:id/files/:file': rowFor('request', 'manager')(
    (id) => `/api/requests/${id}/files/99999`,
    () => ({ state: 'accepted' }),
    { allow: [404] },
  ),
  'POST /r/:token/open': form('open'),
  'POST /r/:token/done': form('done'),
  'POST /r/:token/rows/:id/unavailable': form('rows/1/unavailable'),
  'POST /r/:token/rows/:id/available': form('rows/1/available'),
  'POST /r/:token/arrivals/:id/back': form('arrivals/1/back'),
  'POST /r/:token/files': form('files'),
  'POST /r/:token/rows/:id/files': form('rows/1/files'),
  'POST /r/:token/rows/:id/bind': form('rows/1/bind'),
  'DELETE /r/:token/arrivals/:id': upload('arrivals/1'),
  'POST /r/:token/uploads': upload('uploads', { 'upload-length': '1' }),
  'HEAD /r/:token/uploads/:id': upload('uploads/x'),
  'PATCH /r/:token/uploads/:id': upload('uploads/x'),
  'DELETE /r/:token/uploads/:id': upload('uploads/x'),
};
