import type { AccessRow } from '../access-calls.ts';
import { own, send } from '../access-calls.ts';

// Whoever looks after the installation, in a world without a place for backups and without a data folder.
const NOBODY = { refused: 404, alsoAllowed: [404, 409], foreign: 404 } as const;

export const BACKUP_ROWS: Record<string, AccessRow> = {
  'GET /api/backups': own('/api/backups', 'admin', NOBODY),
  'POST /api/backups/run': send('/api/backups/run', 'admin', {}, NOBODY),
  'POST /api/backups/recovery-sheet': send(
    '/api/backups/recovery-sheet',
    'admin',
    { current_password: 'wrong' },
    NOBODY,
  ),
};
