import type { Row } from '../access-calls.ts';
import { of } from '../access-calls.ts';

/** The calls of the details panel. */
export const DETAILS_ROWS: Record<string, Row> = {
  'GET /api/documents/:id/details': of('file', 'viewer')((id) => `/api/documents/${id}/details`),
  'POST /api/documents/sums': of('file', 'viewer')(
    () => '/api/documents/sums',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
};
