import type { AccessRow } from '../access-calls.ts';
import { rowFor } from '../access-calls.ts';

export const MOVING_ROWS: Record<string, AccessRow> = {
  'POST /api/documents/move': rowFor('file', 'staff')(
    () => '/api/documents/move',
    (id) => ({ ids: [id], parent_id: null }),
    { foreign: 'none' },
  ),
  'POST /api/documents/move/preview': rowFor('file', 'staff')(
    () => '/api/documents/move/preview',
    (id) => ({ ids: [id], parent_id: null }),
    { foreign: 'none' },
  ),
  'POST /api/documents/move/undo': rowFor('file', 'staff')(
    () => '/api/documents/move/undo',
    (id) => ({ moved: [{ id, parent_id: null }], former: [], merged: [] }),
    { foreign: 'none' },
  ),
};
