import type { AccessRow } from '../access-calls.ts';
import { rowFor } from '../access-calls.ts';

/** Previews of what cannot be deleted. */
export const DELETING_ROWS: Record<string, AccessRow> = {
  'POST /api/documents/delete/preview': rowFor('file', 'staff')(
    () => '/api/documents/delete/preview',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
  'POST /api/trash/delete/preview': rowFor('trashed', 'staff')(
    () => '/api/trash/delete/preview',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
};
