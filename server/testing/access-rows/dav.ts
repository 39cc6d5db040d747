import { PASSWORD } from '../build.ts';
import type { AccessRow } from '../access-calls.ts';
import { own, send } from '../access-calls.ts';

const made = { name: 'Explorer on office PC', current_password: PASSWORD };

/** WebDAV needs an app password with each request; a session has no effect. Tested in `server/dav`. */
const drive: AccessRow = own('/dav/Form%2016.pdf', 'public', { allow: [401] });
const METHODS = 'PROPFIND GET PUT DELETE MKCOL COPY MOVE PROPPATCH LOCK UNLOCK'.split(' ');

/** App passwords belong to their user, whatever the role. */
export const DAV_ROWS: Record<string, AccessRow> = {
  'GET /api/app-passwords': own('/api/app-passwords', 'viewer'),
  'POST /api/app-passwords': send('/api/app-passwords', 'viewer', made, { allow: [422] }),
  'DELETE /api/app-passwords/:id': own('/api/app-passwords/99999', 'viewer', { allow: [404] }),
  'OPTIONS /dav{/*names}': own('/dav/', 'public'),
  ...Object.fromEntries(METHODS.map((method) => [`${method} /dav{/*names}`, drive])),
};
