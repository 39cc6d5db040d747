import { randomUUID } from 'node:crypto';
import type { AccessRow } from './access-calls.ts';
import { ACCOUNT_ROWS } from './access-rows/account.ts';
import { HOLDS } from './access-rows/holds.ts';
import { RETENTION_ROWS } from './access-rows/retention.ts';
import { SEALS } from './access-rows/seals.ts';
import { own, send, rowFor, uploadRow, NO_BODY, TUS } from './access-calls.ts';
import { FIELD_ROWS } from './access-rows/fields.ts';
import { FILING_ROWS } from './access-rows/filing.ts';
import { DELETING_ROWS } from './access-rows/deleting.ts';
import { MOVING_ROWS } from './access-rows/moving.ts';
import { DETAILS_ROWS } from './access-rows/details.ts';
import { READING_ROWS } from './access-rows/reading.ts';
import { VERSION_ROWS } from './access-rows/versions.ts';
import { BACKUP_ROWS } from './access-rows/backups.ts';
import { BRANDING_ROWS } from './access-rows/branding.ts';
import { REQUEST_ROWS } from './access-rows/requests.ts';
import { SCANNING_ROWS } from './access-rows/scanning.ts';
import { PORTAL_ROWS } from './access-rows/portal.ts';
import { DROP_ROWS } from './access-rows/drops.ts';
import { PAGES_ROWS } from './access-rows/pages.ts';
import { PASSKEY_ROWS } from './access-rows/passkeys.ts';
import { DAV_ROWS } from './access-rows/dav.ts';
import { DESKTOP_ROWS } from './access-rows/desktop.ts';
import { SHARING_ROWS } from './access-rows/sharing.ts';
import { SYSTEM_ROWS } from './access-rows/system.ts';

/** Every route of the server. A route that is missing here fails the test. */
export const ROWS: Record<string, AccessRow> = {
  ...DELETING_ROWS,
  ...MOVING_ROWS,
  ...DETAILS_ROWS,
  ...READING_ROWS,
  ...FIELD_ROWS,
  ...FILING_ROWS,
  ...RETENTION_ROWS,
  ...SEALS,
  ...VERSION_ROWS,
  ...BRANDING_ROWS,
  ...REQUEST_ROWS,
  ...SCANNING_ROWS,
  ...DROP_ROWS,
  ...PAGES_ROWS,
  ...PORTAL_ROWS,
  ...SHARING_ROWS,
  ...SYSTEM_ROWS,
  ...BACKUP_ROWS,
  ...HOLDS,
  ...DAV_ROWS,
  ...PASSKEY_ROWS,
  ...DESKTOP_ROWS,
  'GET /sanctum/csrf-cookie': own('/sanctum/csrf-cookie', 'public'),
  ...ACCOUNT_ROWS,

  'GET /api/team': own('/api/team', 'admin'),
  'POST /api/team/invitations': send(
    '/api/team/invitations',
    'admin',
    { emails: 'new@rao.in', role: 'viewer' },
    { allow: [422] },
  ),
  'POST /api/team/invitations/:id/send': rowFor(
    'invitation',
    'admin',
  )((id) => `/api/team/invitations/${id}/send`),
  'DELETE /api/team/invitations/:id': rowFor('invitation', 'admin')((id) => `/api/team/invitations/${id}`),
  'POST /api/team/keep': rowFor('colleague', 'admin')(
    () => '/api/team/keep',
    (id) => ({ ids: [id] }),
    { allow: [422] },
  ),
  'PUT /api/team/two-step': send('/api/team/two-step', 'admin', { required: false }),
  'GET /api/team/client-groups': own('/api/team/client-groups', 'admin'),
  'GET /api/team/:id/clients': rowFor('colleague', 'admin')((id) => `/api/team/${id}/clients`),
  'PUT /api/team/:id/clients': rowFor('colleague', 'admin')(
    (id) => `/api/team/${id}/clients`,
    () => ({ client_scope: 'assigned', client_ids: [], groups: [] }),
  ),
  'PATCH /api/team/:id': rowFor('colleague', 'admin')(
    (id) => `/api/team/${id}`,
    () => ({ role: 'viewer' }),
  ),
  'POST /api/team/:id/deactivate': rowFor('colleague', 'admin')(
    (id) => `/api/team/${id}/deactivate`,
    () => ({}),
  ),
  'POST /api/team/:id/reactivate': rowFor('colleague', 'admin')(
    (id) => `/api/team/${id}/reactivate`,
    NO_BODY,
    {
      allow: [409],
    },
  ),
  'POST /api/team/:id/hand-over': rowFor('colleague', 'admin')(
    (id) => `/api/team/${id}/hand-over`,
    () => ({}),
    { allow: [409] },
  ),

  'GET /api/audit': own('/api/audit', 'manager'),
  'GET /api/audit/export': own('/api/audit/export', 'manager'),
  'POST /api/export': send('/api/export', 'admin', { what: 'history' }),
  'GET /api/export/content': own('/api/export/content?token=forged', 'public', {
    link: true,
    allow: [403],
  }),
  'GET /api/events': own('/api/events', 'viewer'),

  'GET /api/documents': own('/api/documents', 'viewer'),
  'GET /api/documents/files': own('/api/documents/files', 'viewer'),
  'GET /api/documents/search': own('/api/documents/search?query=note', 'viewer'),
  'POST /api/documents/folder': {
    gate: 'staff',
    ask: ({ caller }) => ({
      path: '/api/documents/folder',
      body: { name: `New ${randomUUID()} ${caller.actor.userId}` },
    }),
    foreign: 'own',
  },
  'POST /api/documents/compare': send('/api/documents/compare', 'viewer', { files: [] }, { allow: [422] }),
  'POST /api/documents/rename': rowFor('file', 'staff')(
    () => '/api/documents/rename',
    (id) => ({ names: [{ id, name: `renamed ${id}.txt` }] }),
    { foreign: 'none' },
  ),
  'POST /api/documents/client': rowFor('file', 'staff')(
    () => '/api/documents/client',
    (id) => ({ ids: [id], client_id: null }),
    { foreign: 'none' },
  ),
  'POST /api/documents/client/preview': rowFor('file', 'staff')(
    () => '/api/documents/client/preview',
    (id) => ({ ids: [id], client_id: null }),
    { foreign: 'none' },
  ),
  'POST /api/documents/delete': rowFor('file', 'staff')(
    () => '/api/documents/delete',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
  'GET /api/trash': own('/api/trash', 'staff'),
  'POST /api/trash/restore': rowFor('trashed', 'staff')(
    () => '/api/trash/restore',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
  'POST /api/trash/delete': rowFor('trashed', 'staff')(
    () => '/api/trash/delete',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
  'POST /api/trash/empty': send('/api/trash/empty', 'staff', {}),
  'POST /api/documents/access/losing': rowFor('file', 'staff')(
    () => '/api/documents/access/losing',
    (id) => ({ ids: [id], client_id: null }),
    { foreign: 'none' },
  ),
  'GET /api/documents/:id/access': rowFor('file', 'viewer')((id) => `/api/documents/${id}/access`),
  'PATCH /api/documents/:id/rename': rowFor('file', 'staff')(
    (id) => `/api/documents/${id}/rename`,
    (id) => ({ name: `renamed ${id}.txt` }),
  ),
  'PATCH /api/documents/:id/client': rowFor('file', 'staff')(
    (id) => `/api/documents/${id}/client`,
    () => ({ client_id: null }),
  ),
  'GET /api/documents/:id': rowFor('file', 'viewer')((id) => `/api/documents/${id}`),
  'DELETE /api/documents/:id': rowFor('file', 'staff')((id) => `/api/documents/${id}`),
  'POST /api/documents/:id/download-token': rowFor(
    'file',
    'viewer',
  )((id) => `/api/documents/${id}/download-token`),
  'POST /api/documents/download-token': rowFor('file', 'viewer')(
    () => '/api/documents/download-token',
    (id) => ({ ids: [id] }),
  ),
  'GET /api/documents/selection': own('/api/documents/selection?token=forged', 'public', {
    link: true,
    allow: [403],
  }),
  'GET /api/documents/:id/content': rowFor('file', 'public')(
    (id) => `/api/documents/${id}/content?token=forged`,
    NO_BODY,
    { link: true, allow: [403], foreign: 'own' },
  ),

  'GET /api/documents/extraction-status': own('/api/documents/extraction-status', 'viewer'),
  'GET /api/documents/extraction-status/:id': own('/api/documents/extraction-status/99999', 'viewer', {
    allow: [404],
    foreign: 404,
  }),
  'DELETE /api/documents/extraction-status/:id': own('/api/documents/extraction-status/99999', 'viewer', {
    allow: [404],
    foreign: 404,
  }),
  'POST /api/documents/:id/extract': rowFor('zip', 'staff')((id) => `/api/documents/${id}/extract`, NO_BODY, {
    allow: [429],
  }),
  'GET /api/documents/:id/entries': rowFor('zip', 'viewer')((id) => `/api/documents/${id}/entries`),
  'POST /api/documents/:id/entry-token': rowFor('zip', 'viewer')(
    (id) => `/api/documents/${id}/entry-token`,
    () => ({ path: 'a.txt', entry: 'a.txt' }),
    { allow: [422] },
  ),
  'GET /api/documents/entry': own('/api/documents/entry?token=forged', 'public', {
    link: true,
    allow: [403],
  }),
  'GET /api/documents/:id/thumbnail': rowFor('file', 'viewer')((id) => `/api/documents/${id}/thumbnail`),
  'GET /api/documents/:id/pages': rowFor('file', 'viewer')((id) => `/api/documents/${id}/pages`, NO_BODY, {
    allow: [404, 422],
  }),
  'GET /api/documents/:id/pages/:page': rowFor('file', 'viewer')(
    (id) => `/api/documents/${id}/pages/1`,
    NO_BODY,
    {
      allow: [404, 422],
    },
  ),
  'GET /api/documents/:id/view': rowFor('file', 'viewer')((id) => `/api/documents/${id}/view`, NO_BODY, {
    allow: [404, 422],
  }),
  'GET /api/documents/:id/view/body': rowFor('file', 'viewer')(
    (id) => `/api/documents/${id}/view/body`,
    NO_BODY,
    {
      allow: [404, 422],
    },
  ),
  'GET /api/documents/:id/attachments/:place': rowFor('file', 'viewer')(
    (id) => `/api/documents/${id}/attachments/1`,
    NO_BODY,
    { allow: [404, 422] },
  ),

  'POST /api/documents/upload': uploadRow('/api/documents/upload', 'staff', 'note.txt', 'content'),
  'POST /api/documents/resumable': {
    gate: 'staff',
    ask: () => ({
      path: '/api/documents/resumable',
      headers: {
        ...TUS,
        'upload-length': '10',
        'upload-metadata': `filename ${Buffer.from('a.pdf').toString('base64')}`,
      },
    }),
    foreign: 'own',
  },
  'GET /api/documents/resumable/:id': own('/api/documents/resumable/none', 'viewer', {
    allow: [404],
    foreign: 404,
  }),
  'HEAD /api/documents/resumable/:id': {
    gate: 'viewer',
    ask: () => ({ path: '/api/documents/resumable/none', headers: TUS }),
    allow: [404],
    foreign: 404,
  },
  'PATCH /api/documents/resumable/:id': own('/api/documents/resumable/none', 'viewer', {
    allow: [404, 412],
    foreign: 'own',
  }),
  'DELETE /api/documents/resumable/:id': own('/api/documents/resumable/none', 'viewer', {
    allow: [404, 412],
    foreign: 'own',
  }),

  'GET /api/clients': own('/api/clients', 'viewer'),
  'GET /api/clients/options': own('/api/clients/options', 'viewer'),
  'GET /api/clients/look-up': own('/api/clients/look-up?query=sharma', 'viewer'),
  'GET /api/clients/export': own('/api/clients/export', 'viewer'),
  'POST /api/clients/import/preview': uploadRow(
    '/api/clients/import/preview',
    'staff',
    'c.csv',
    'Name\nSharma\n',
  ),
  'POST /api/clients/import': {
    ...uploadRow('/api/clients/import', 'staff', 'c.csv', 'Name\nSharma\n'),
    allow: [422],
  },
  'POST /api/clients': {
    gate: 'staff',
    ask: () => ({
      path: '/api/clients',
      body: { name: `Client ${randomUUID()}`, client_type: 'Individual' },
    }),
    foreign: 'own',
    allow: [422],
  },
  'GET /api/clients/:id': rowFor('client', 'viewer')((id) => `/api/clients/${id}`),
  'GET /api/clients/:id/overview': rowFor('client', 'viewer')((id) => `/api/clients/${id}/overview`),
  'GET /api/clients/:id/tied': rowFor('client', 'viewer')((id) => `/api/clients/${id}/tied`),
  'GET /api/clients/:id/access': rowFor('client', 'viewer')((id) => `/api/clients/${id}/access`),
  'GET /api/clients/:id/people': rowFor('client', 'admin')((id) => `/api/clients/${id}/people`),
  'PUT /api/clients/:id/people': rowFor('client', 'admin')(
    (id) => `/api/clients/${id}/people`,
    () => ({ user_ids: [] }),
  ),
  'PUT /api/clients/:id': rowFor('client', 'staff')(
    (id) => `/api/clients/${id}`,
    () => ({ city: 'Pune' }),
  ),
  'PATCH /api/clients/:id': rowFor('client', 'staff')(
    (id) => `/api/clients/${id}`,
    () => ({ city: 'Pune' }),
  ),
  'DELETE /api/clients/:id': rowFor('client', 'staff')((id) => `/api/clients/${id}`),
  'POST /api/clients/:id/download-token': rowFor('client', 'viewer')(
    (id) => `/api/clients/${id}/download-token`,
    NO_BODY,
    { allow: [422] },
  ),

  'GET /api/templates': own('/api/templates', 'staff'),
  'POST /api/templates': {
    gate: 'staff',
    ask: () => ({ path: '/api/templates', body: { name: `T ${randomUUID()}`, outline: 'ITR' } }),
    foreign: 'own',
  },
  'PUT /api/templates/:id': rowFor('template', 'staff')(
    (id) => `/api/templates/${id}`,
    (id) => ({ name: `T ${id}`, outline: 'GST' }),
  ),
  'DELETE /api/templates/:id': rowFor('template', 'staff')((id) => `/api/templates/${id}`),
  'POST /api/templates/:id/preview': rowFor('client', 'staff')(
    () => '/api/templates/gst/preview',
    (id) => ({ client_ids: [id], fy: '2026-27' }),
    { allow: [404] },
  ),
  'POST /api/templates/:id/apply': rowFor('client', 'staff')(
    () => '/api/templates/gst/apply',
    (id) => ({ client_ids: [id], fy: '2026-27' }),
    { allow: [404] },
  ),

  'GET /api/dashboard/stats': own('/api/dashboard/stats', 'viewer'),
  'GET /api/dashboard/recent-files': own('/api/dashboard/recent-files', 'viewer'),
  'GET /api/dashboard/newest-files': own('/api/dashboard/newest-files', 'viewer'),
  'GET /api/dashboard/storage-breakdown': own('/api/dashboard/storage-breakdown', 'viewer'),
  'GET /api/dashboard/largest-files': own('/api/dashboard/largest-files', 'viewer'),
  'GET /api/dashboard/untouched-files': own('/api/dashboard/untouched-files', 'viewer'),

  'GET /api/subscription/plans': own('/api/subscription/plans', 'public'),
  'GET /api/subscription/current': own('/api/subscription/current', 'viewer'),
  'POST /api/subscription/trial/start': send('/api/subscription/trial/start', 'admin', {}, { allow: [409] }),
  'POST /api/subscription/order': send(
    '/api/subscription/order',
    'admin',
    { plan_id: 1, billing_cycle: 'monthly' },
    { allow: [503] },
  ),
  'GET /api/subscription/order/:id': own('/api/subscription/order/99999', 'admin', {
    allow: [404, 503],
  }),
  'POST /api/subscription/verify-payment': send(
    '/api/subscription/verify-payment',
    'admin',
    {
      subscription_id: 99999,
      razorpay_order_id: 'order_x',
      razorpay_payment_id: 'pay_x',
      razorpay_signature: 'x',
    },
    { allow: [404, 422] },
  ),
  'POST /api/subscription/check-payments': send(
    '/api/subscription/check-payments',
    'admin',
    {},
    { allow: [503] },
  ),
  'GET /api/subscription/payments': own('/api/subscription/payments', 'admin'),
  'POST /api/subscription/webhook': send(
    '/api/subscription/webhook',
    'public',
    {},
    { allow: [400, 401, 403, 503] },
  ),
  'GET /api/billing/details': own('/api/billing/details', 'admin'),
  'PUT /api/billing/details': send('/api/billing/details', 'admin', {}, { allow: [422] }),
  'GET /api/billing/invoices/:id': own('/api/billing/invoices/99999', 'admin', {
    allow: [404],
    foreign: 404,
    refused: 404,
  }),
};
