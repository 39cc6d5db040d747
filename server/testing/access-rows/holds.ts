import type { AccessRow } from '../access-calls.ts';
import { withFixture } from '../access-calls.ts';

const REASON = () => ({ reason: 'Notice under s. 148' });

export const HOLDS: Record<string, AccessRow> = {
  'POST /api/clients/:id/hold': withFixture('client', 'manager')((id) => `/api/clients/${id}/hold`, REASON),
  'POST /api/clients/:id/hold/lift': withFixture('client', 'manager')(
    (id) => `/api/clients/${id}/hold/lift`,
    REASON,
    {
      alsoAllowed: [409],
    },
  ),
};
