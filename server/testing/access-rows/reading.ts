import type { AccessRow } from '../access-calls.ts';
import { NO_BODY, rowFor, own, send } from '../access-calls.ts';

/** The file in these calls is not a PDF. */
const NO_PDF = { allow: [422] };

/** Text and words of documents. */
export const READING_ROWS: Record<string, AccessRow> = {
  'GET /api/reading': own('/api/reading', 'viewer'),
  'POST /api/reading/pause': send('/api/reading/pause', 'admin', { paused: false }),
  'GET /api/documents/search/inside': own('/api/documents/search/inside?query=words', 'viewer'),
  'GET /api/documents/search/people': own('/api/documents/search/people?search=a', 'viewer'),
  'GET /api/documents/:id/reading': rowFor('file', 'viewer')((id) => `/api/documents/${id}/reading`),
  'GET /api/documents/:id/text': rowFor('file', 'viewer')((id) => `/api/documents/${id}/text`, NO_BODY),
  'GET /api/documents/:id/words': rowFor('file', 'viewer')((id) => `/api/documents/${id}/words`, NO_BODY),
  'GET /api/documents/:id/password': rowFor('file', 'viewer')(
    (id) => `/api/documents/${id}/password`,
    NO_BODY,
    NO_PDF,
  ),
  'POST /api/documents/:id/password': rowFor('file', 'viewer')(
    (id) => `/api/documents/${id}/password`,
    () => ({ password: 'x' }),
    NO_PDF,
  ),
  'GET /api/documents/:id/unlocked': rowFor('file', 'viewer')(
    (id) => `/api/documents/${id}/unlocked`,
    NO_BODY,
    NO_PDF,
  ),
  'POST /api/documents/:id/read': rowFor('file', 'staff')(
    (id) => `/api/documents/${id}/read`,
    () => ({}),
  ),
};
