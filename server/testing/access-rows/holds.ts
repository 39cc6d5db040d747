import type { Row } from '../access-calls.ts';
import { of } from '../access-calls.ts';

const REASON = () => ({ reason: 'Notice under s. 148' });

export const HOLDS: Record<string, Row> = {
  'POST /api/clients/:id/hold': of('client', 'manager')((id) => `/api/clients/${id}/hold`, REASON),
  'POST /api/clients/:id/hold/lift': of('client', 'manager')((id) => `/api/clients/${id}/hold/lift`, REASON, {
    also: [409],
  }),
};
