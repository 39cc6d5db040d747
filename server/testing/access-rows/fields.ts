import type { AccessRow } from '../access-calls.ts';
import { rowFor, own } from '../access-calls.ts';

/** Fields recognised in documents. */
export const FIELD_ROWS: Record<string, AccessRow> = {
  'GET /api/review': own('/api/review', 'staff'),
  'GET /api/documents/:id/fields': rowFor('file', 'viewer')((id) => `/api/documents/${id}/fields`),
  'PATCH /api/documents/:id/fields': rowFor('file', 'staff')(
    (id) => `/api/documents/${id}/fields`,
    () => ({ fields: [{ id: 'type', answer: 'corrected', value: 'form_16' }] }),
  ),
  'GET /api/documents/:id/tables/:at': rowFor('file', 'viewer')(
    (id) => `/api/documents/${id}/tables/0`,
    undefined,
    {
      allow: [404],
    },
  ),
  'POST /api/documents/:id/tables/:at/export': rowFor('file', 'viewer')(
    (id) => `/api/documents/${id}/tables/0/export`,
    () => ({ form: 'csv' }),
    { allow: [404] },
  ),
  'POST /api/documents/fields/export': rowFor('file', 'viewer')(
    () => '/api/documents/fields/export',
    (id) => ({ ids: [id], form: 'csv' }),
  ),
};
