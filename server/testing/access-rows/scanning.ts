import type { AccessRow } from '../access-calls.ts';
import { own, send } from '../access-calls.ts';

const NONE = '0'.repeat(32);
const why = { reason: 'It is a test' };

export const SCANNING_ROWS: Record<string, AccessRow> = {
  'GET /api/quarantine': own('/api/quarantine', 'admin'),
  'POST /api/quarantine/:id/release': send(`/api/quarantine/${NONE}/release`, 'admin', why, {
    allow: [404],
  }),
  'POST /api/quarantine/:id/delete': send(`/api/quarantine/${NONE}/delete`, 'admin', why, {
    allow: [404],
  }),
};
