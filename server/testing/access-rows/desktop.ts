import type { AccessRow } from '../access-calls.ts';
import { own, send } from '../access-calls.ts';

const pairing = { code: 'ABCD2345', name: 'FRONT-DESK', platform: 'win-x64', version: '1.0.0' };
const content = { parent_id: null, sha256: 'a'.repeat(64), size: 1 };
/** For connected programs only: every session is refused. */
const program = { allow: [403] };

/** Almirah Uploader. Calls with a program's token are tested in `server/desktop`. */
export const DESKTOP_ROWS: Record<string, AccessRow> = {
  'POST /api/desktop/authorize': send('/api/desktop/authorize', 'staff', { name: 'FRONT-DESK' }),
  'POST /api/desktop/token': send('/api/desktop/token', 'public', pairing, { allow: [422] }),
  'GET /api/desktop/latest': own('/api/desktop/latest', 'public'),
  'GET /desktop/download/:file': own('/desktop/download/Setup.exe', 'public', { allow: [404] }),
  'GET /api/desktop/me': own('/api/desktop/me', 'viewer', program),
  'DELETE /api/desktop/me': own('/api/desktop/me', 'viewer', program),
  'DELETE /api/desktop/devices/:id': own('/api/desktop/devices/99999', 'viewer', { allow: [404] }),
  'GET /api/desktop/folders': own('/api/desktop/folders', 'staff'),
  'POST /api/desktop/folders': send('/api/desktop/folders', 'staff', { parent_id: null }),
  'GET /api/desktop/clients': own('/api/desktop/clients', 'staff'),
  'POST /api/desktop/compare': send('/api/desktop/compare', 'staff', content),
};
