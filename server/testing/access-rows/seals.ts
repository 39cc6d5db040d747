import type { AccessRow } from '../access-calls.ts';
import { withFixture } from '../access-calls.ts';

const REASON = { reason: 'Report signed' };

export const SEALS: Record<string, AccessRow> = {
  'GET /api/documents/:id/seal': withFixture('file', 'viewer')((id) => `/api/documents/${id}/seal`),
  'POST /api/documents/:id/seal': withFixture('file', 'manager')(
    (id) => `/api/documents/${id}/seal`,
    () => REASON,
  ),
  'POST /api/documents/:id/seal/break': withFixture('file', 'admin')(
    (id) => `/api/documents/${id}/seal/break`,
    () => ({ ...REASON, current_password: 'not the right one' }),
    { alsoAllowed: [422] },
  ),
};
