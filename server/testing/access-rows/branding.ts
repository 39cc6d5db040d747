import type { AccessRow } from '../access-calls.ts';
import { own } from '../access-calls.ts';
import { CONTENT_TYPE, filePart, multipart } from '../multipart.ts';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="60" height="30"/></svg>';

export const BRANDING_ROWS: Record<string, AccessRow> = {
  'GET /api/firm/logo': own('/api/firm/logo', 'admin'),
  'PUT /api/firm/logo': {
    gate: 'admin',
    ask: () => ({
      path: '/api/firm/logo',
      body: multipart([filePart('logo.svg', LOGO)]),
      headers: { 'content-type': CONTENT_TYPE },
    }),
    foreign: 'own',
  },
  'DELETE /api/firm/logo': own('/api/firm/logo', 'admin'),
  'GET /logo/:key': own(`/logo/${'x'.repeat(43)}`, 'public', { allow: [404] }),
};
