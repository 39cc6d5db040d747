import type { AccessRow } from '../access-calls.ts';
import { own, send } from '../access-calls.ts';

// No user of these firms is an admin of the installation: the screen does not exist for any of them.
const NOBODY = { refused: 404, allow: [404], foreign: 404 } as const;

export const SYSTEM_ROWS: Record<string, AccessRow> = {
  'GET /api/system': own('/api/system', 'admin', NOBODY),
  'POST /api/system/emails/:id/send-again': send('/api/system/emails/1/send-again', 'admin', {}, NOBODY),
};
