import type { AccessRow } from '../access-calls.ts';
import { rowFor } from '../access-calls.ts';
import { CONTENT_TYPE, multipart } from '../multipart.ts';

/** Photographs of pages that become one PDF, and attachments of e-mails that become documents. */
export const PAGES_ROWS: Record<string, AccessRow> = {
  'POST /api/documents/pages': {
    gate: 'staff',
    ask: () => ({
      path: '/api/documents/pages',
      body: multipart([
        { name: 'name', body: 'Bill' },
        { name: 'page', filename: 'a.jpg', body: 'no picture' },
      ]),
      headers: { 'content-type': CONTENT_TYPE },
    }),
    allow: [422],
    foreign: 'own',
  },
  'POST /api/documents/:id/attachments/save': rowFor('file', 'staff')(
    (id) => `/api/documents/${id}/attachments/save`,
    () => ({ attachments: null }),
    { allow: [404] },
  ),
};
