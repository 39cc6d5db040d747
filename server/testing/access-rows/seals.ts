import type { Row } from '../access-calls.ts';
import { of } from '../access-calls.ts';

const REASON = { reason: 'Report signed' };

export const SEALS: Record<string, Row> = {
  'GET /api/documents/:id/seal': of('file', 'viewer')((id) => `/api/documents/${id}/seal`),
  'POST /api/documents/:id/seal': of('file', 'manager')(
    (id) => `/api/documents/${id}/seal`,
    () => REASON,
  ),
  'POST /api/documents/:id/seal/break': of('file', 'admin')(
    (id) => `/api/documents/${id}/seal/break`,
    () => ({ ...REASON, current_password: 'not the right one' }),
    { also: [422] },
  ),
};
