import type { Row } from '../access-calls.ts';
import { noBody, of, own, send } from '../access-calls.ts';

/** The file that is asked about is none. */
const NO_PDF = { also: [422] };

/** The calls about what documents say. */
export const READING_ROWS: Record<string, Row> = {
  'GET /api/reading': own('/api/reading', 'viewer'),
  'POST /api/reading/pause': send('/api/reading/pause', 'admin', { paused: false }),
  'GET /api/documents/search/inside': own('/api/documents/search/inside?query=words', 'viewer'),
  'GET /api/documents/search/people': own('/api/documents/search/people?search=a', 'viewer'),
  'GET /api/documents/:id/reading': of('file', 'viewer')((id) => `/api/documents/${id}/reading`),
  'GET /api/documents/:id/text': of('file', 'viewer')((id) => `/api/documents/${id}/text`, noBody),
  'GET /api/documents/:id/words': of('file', 'viewer')((id) => `/api/documents/${id}/words`, noBody),
  'GET /api/documents/:id/password': of('file', 'viewer')(
    (id) => `/api/documents/${id}/password`,
    noBody,
    NO_PDF,
  ),
  'POST /api/documents/:id/password': of('file', 'viewer')(
    (id) => `/api/documents/${id}/password`,
    () => ({ password: 'x' }),
    NO_PDF,
  ),
  'GET /api/documents/:id/unlocked': of('file', 'viewer')(
    (id) => `/api/documents/${id}/unlocked`,
    noBody,
    NO_PDF,
  ),
  'POST /api/documents/:id/read': of('file', 'staff')(
    (id) => `/api/documents/${id}/read`,
    () => ({}),
  ),
};
