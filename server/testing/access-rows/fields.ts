import type { AccessRow } from '../access-calls.ts';
import { withFixture, own } from '../access-calls.ts';

/** Fields recognised in documents. */
export const FIELD_ROWS: Record<string, AccessRow> = {
  'GET /api/review': own('/api/review', 'staff'),
  'GET /api/documents/:id/fields': withFixture('file', 'viewer')((id) => `/api/documents/${id}/fields`),
  'PATCH /api/documents/:id/fields': withFixture('file', 'staff')(
    (id) => `/api/documents/${id}/fields`,
    () => ({ fields: [{ id: 'type', answer: 'corrected', value: 'form_16' }] }),
  ),
  'GET /api/documents/:id/tables/:at': withFixture('file', 'viewer')(
    (id) => `/api/documents/${id}/tables/0`,
    undefined,
    {
      alsoAllowed: [404],
    },
  ),
  'POST /api/documents/:id/tables/:at/export': withFixture('file', 'viewer')(
    (id) => `/api/documents/${id}/tables/0/export`,
    () => ({ form: 'csv' }),
    { alsoAllowed: [404] },
  ),
  'POST /api/documents/fields/export': withFixture('file', 'viewer')(
    () => '/api/documents/fields/export',
    (id) => ({ ids: [id], form: 'csv' }),
  ),
};
