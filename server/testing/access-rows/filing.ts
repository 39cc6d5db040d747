import type { AccessRow } from '../access-calls.ts';
import { rowFor, own } from '../access-calls.ts';

/** Filing documents by recognised fields. */
export const FILING_ROWS: Record<string, AccessRow> = {
  'GET /api/filing': own('/api/filing', 'staff'),
  'POST /api/filing': {
    gate: 'staff',
    ask: async ({ file, client }) => ({
      path: '/api/filing',
      body: {
        files: [
          {
            id: await file(),
            client_id: await client(),
            folder: ['2025-26'],
            name: 'Filed.pdf',
            seen: { name: 'x', parent_id: null },
          },
        ],
      },
    }),
    // Items that cannot be filed are reported and stay as they are.
    foreign: 'none',
  },
  'GET /api/filing/runs': own('/api/filing/runs', 'staff'),
  'POST /api/filing/runs/:id/undo': {
    gate: 'staff',
    ask: () => ({ path: '/api/filing/runs/999999/undo', body: {} }),
    allow: [404],
  },
  'PUT /api/filing/pattern': {
    gate: 'admin',
    ask: () => ({ path: '/api/filing/pattern', body: { pattern: '{type} {period}' } }),
    foreign: 'own',
  },
  'GET /api/filing/inboxes': own('/api/filing/inboxes', 'staff'),
  'PUT /api/filing/inboxes/:id': rowFor('file', 'staff')(
    (id) => `/api/filing/inboxes/${id}`,
    () => ({ inbox: true }),
    { allow: [422] },
  ),
};
