import { randomUUID } from 'node:crypto';
import type { Made, Row } from '../access-calls.ts';
import { of, own } from '../access-calls.ts';

const label = async (made: Made): Promise<string> => `/api/labels/${await made.label()}`;
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
  'GET /api/documents/duplicates': own('/api/documents/duplicates', 'viewer'),
  'GET /api/labels': own('/api/labels', 'viewer'),
  'POST /api/labels': {
    gate: 'staff',
    ask: () => ({ path: '/api/labels', body: { name: randomUUID(), colour: 'red' } }),
    foreign: 'own',
  },
  'PATCH /api/labels/:id': {
    gate: 'staff',
    ask: async (made) => ({ path: await label(made), body: { colour: 'blue' } }),
  },
  'DELETE /api/labels/:id': { gate: 'staff', ask: async (made) => ({ path: await label(made) }) },
  'POST /api/documents/labels': {
    gate: 'staff',
    ask: async (made) => ({
      path: '/api/documents/labels',
      body: { ids: [await made.file()], add: [await made.label()] },
    }),
  },
};
