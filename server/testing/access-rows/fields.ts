import type { Row } from '../access-calls.ts';
import { of, own } from '../access-calls.ts';

/** The calls about what was recognised in documents. */
export const FIELD_ROWS: Record<string, Row> = {
  'GET /api/review': own('/api/review', 'staff'),
  'GET /api/documents/:id/fields': of('file', 'viewer')((id) => `/api/documents/${id}/fields`),
  'PATCH /api/documents/:id/fields': of('file', 'staff')(
    (id) => `/api/documents/${id}/fields`,
    () => ({ fields: [{ id: 'type', answer: 'corrected', value: 'form_16' }] }),
  ),
  'GET /api/documents/:id/tables/:at': of('file', 'viewer')(
    (id) => `/api/documents/${id}/tables/0`,
    undefined,
    {
      also: [404],
    },
  ),
  'POST /api/documents/:id/tables/:at/export': of('file', 'viewer')(
    (id) => `/api/documents/${id}/tables/0/export`,
    () => ({ form: 'csv' }),
    { also: [404] },
  ),
  'POST /api/documents/fields/export': of('file', 'viewer')(
    () => '/api/documents/fields/export',
    (id) => ({ ids: [id], form: 'csv' }),
  ),
};
