import type { Made, Row } from '../access-calls.ts';
import { of } from '../access-calls.ts';

const note = async (made: Made): Promise<number> => made.note(await made.file());

/** The calls of the details panel. */
export const DETAILS_ROWS: Record<string, Row> = {
  'GET /api/documents/:id/details': of('file', 'viewer')((id) => `/api/documents/${id}/details`),
  'POST /api/documents/sums': of('file', 'viewer')(
    () => '/api/documents/sums',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
  'GET /api/documents/:id/notes': of('file', 'viewer')((id) => `/api/documents/${id}/notes`),
  'POST /api/documents/:id/notes': of('file', 'staff')(
    (id) => `/api/documents/${id}/notes`,
    () => ({ text: 'Asked for the second page.' }),
  ),
  'PATCH /api/notes/:id': {
    gate: 'staff',
    ask: async (made) => ({ path: `/api/notes/${await note(made)}`, body: { text: 'It has come.' } }),
  },
  'DELETE /api/notes/:id': {
    gate: 'staff',
    ask: async (made) => ({ path: `/api/notes/${await note(made)}` }),
  },
};
