import type { Row } from '../access-calls.ts';
import { nobody, own, send } from '../access-calls.ts';

const WRONG = { current_password: 'not the right one' };

/** Passkeys are their owner's own: another's is not there, whatever the role. */
export const PASSKEY_ROWS: Record<string, Row> = {
  'POST /api/auth/login/passkey/options': send('/api/auth/login/passkey/options', 'public', {}),
  'POST /api/auth/login/passkey': send('/api/auth/login/passkey', 'public', {}, nobody),
  'POST /api/auth/not-me': send('/api/auth/not-me', 'public', {}, nobody),
  'GET /api/auth/prove': own('/api/auth/prove', 'viewer'),
  'POST /api/auth/prove': send('/api/auth/prove', 'viewer', WRONG, nobody),
  'POST /api/auth/prove/passkey': send('/api/auth/prove/passkey', 'viewer', {}),
  'GET /api/auth/passkeys': own('/api/auth/passkeys', 'viewer'),
  'POST /api/auth/passkeys/options': send('/api/auth/passkeys/options', 'viewer', WRONG, nobody),
  'POST /api/auth/passkeys': send('/api/auth/passkeys', 'viewer', {}, nobody),
  'PATCH /api/auth/passkeys/:id': send('/api/auth/passkeys/99999', 'viewer', { name: 'x' }, nobody),
  'POST /api/auth/passkeys/:id/remove': send('/api/auth/passkeys/99999/remove', 'viewer', WRONG, nobody),
};
