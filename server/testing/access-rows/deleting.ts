import type { AccessRow } from '../access-calls.ts';
import { withFixture } from '../access-calls.ts';

/** Previews of what cannot be deleted. */
export const DELETING_ROWS: Record<string, AccessRow> = {
  'POST /api/documents/delete/preview': withFixture('file', 'staff')(
    () => '/api/documents/delete/preview',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
  'POST /api/trash/delete/preview': withFixture('trashed', 'staff')(
    () => '/api/trash/delete/preview',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
};
