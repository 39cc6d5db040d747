import type { AccessRow } from '../access-calls.ts';
import { rowFor, own, send } from '../access-calls.ts';

const RULE = { name: 'Books', applies_to: 'everything', months: 96, counts_from: 'year_end' };

export const RETENTION_ROWS: Record<string, AccessRow> = {
  'GET /api/retention': own('/api/retention', 'manager'),
  'GET /api/retention/files': own('/api/retention/files', 'manager'),
  'POST /api/retention/rules': send(
    '/api/retention/rules',
    'manager',
    { ...RULE, applies_to: 'label', label_id: 99999 },
    { allow: [422] },
  ),
  'POST /api/retention/rules/reach': send(
    '/api/retention/rules/reach',
    'manager',
    { ...RULE, applies_to: 'label', label_id: 99999 },
    { allow: [422] },
  ),
  'PUT /api/retention/rules/:id': send('/api/retention/rules/99999', 'manager', RULE, {
    allow: [404],
    foreign: 404,
  }),
  'POST /api/retention/rules/:id/remove': send(
    '/api/retention/rules/99999/remove',
    'manager',
    { reason: 'No longer needed' },
    { allow: [404], foreign: 404 },
  ),
  'GET /api/retention/destructions': own('/api/retention/destructions', 'manager'),
  'POST /api/retention/destructions': send(
    '/api/retention/destructions',
    'manager',
    { ids: [99999], reason: 'Time has run out', current_password: 'not the right one' },
    { allow: [422] },
  ),
  'GET /api/retention/destructions/:id/certificate': own(
    '/api/retention/destructions/99999/certificate',
    'manager',
    { allow: [404], foreign: 404 },
  ),
  'GET /api/documents/:id/retention': rowFor('file', 'viewer')((id) => `/api/documents/${id}/retention`),
  'PATCH /api/documents/:id/retention': rowFor('file', 'manager')(
    (id) => `/api/documents/${id}/retention`,
    () => ({ counts_from: '2020-05-01' }),
  ),
};
