import type { AccessRow } from '../access-calls.ts';
import { own, send } from '../access-calls.ts';

// For the installation's admins only; this world has no backup place and no data folder.
const NOBODY = { refused: 404, allow: [404, 409], foreign: 404 } as const;

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
