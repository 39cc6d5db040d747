import { randomUUID } from 'node:crypto';
import type { Fixtures, AccessRow } from '../access-calls.ts';
import { rowFor, own } from '../access-calls.ts';

const label = async (made: Fixtures): Promise<string> => `/api/labels/${await made.label()}`;
const note = async (made: Fixtures): Promise<number> => made.note(await made.file());

/** The details panel. */
export const DETAILS_ROWS: Record<string, AccessRow> = {
  'GET /api/documents/:id/details': rowFor('file', 'viewer')((id) => `/api/documents/${id}/details`),
  'POST /api/documents/sums': rowFor('file', 'viewer')(
    () => '/api/documents/sums',
    (id) => ({ ids: [id] }),
    { foreign: 'none' },
  ),
  'GET /api/documents/:id/notes': rowFor('file', 'viewer')((id) => `/api/documents/${id}/notes`),
  'POST /api/documents/:id/notes': rowFor('file', 'staff')(
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
