import type { AccessRow } from '../access-calls.ts';
import { rowFor } from '../access-calls.ts';

const REASON = () => ({ reason: 'Notice under s. 148' });

export const HOLDS: Record<string, AccessRow> = {
  'POST /api/clients/:id/hold': rowFor('client', 'manager')((id) => `/api/clients/${id}/hold`, REASON),
  'POST /api/clients/:id/hold/lift': rowFor('client', 'manager')(
    (id) => `/api/clients/${id}/hold/lift`,
    REASON,
    {
      allow: [409],
    },
  ),
};
