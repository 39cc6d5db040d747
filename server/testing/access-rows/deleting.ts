import type { Row } from '../access-calls.ts';
import { of } from '../access-calls.ts';

/** The calls that ask what could not be deleted. */
export const DELETING_ROWS: Record<string, Row> = {
  'POST /api/documents/delete/preview': of('file', 'staff')(
    () => '/api/documents/delete/preview',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
  'POST /api/trash/delete/preview': of('trashed', 'staff')(
    () => '/api/trash/delete/preview',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
};
