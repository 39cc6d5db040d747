import type { AccessRow } from '../access-calls.ts';
import { rowFor } from '../access-calls.ts';

const REASON = { reason: 'Report signed' };

export const SEALS: Record<string, AccessRow> = {
  'GET /api/documents/:id/seal': rowFor('file', 'viewer')((id) => `/api/documents/${id}/seal`),
  'POST /api/documents/:id/seal': rowFor('file', 'manager')(
    (id) => `/api/documents/${id}/seal`,
    () => REASON,
  ),
  'POST /api/documents/:id/seal/break': rowFor('file', 'admin')(
    (id) => `/api/documents/${id}/seal/break`,
    () => ({ ...REASON, current_password: 'not the right one' }),
    { allow: [422] },
  ),
};
