import type { AccessRow } from '../access-calls.ts';
import { REFUSED, own, send } from '../access-calls.ts';

const WRONG = { current_password: 'not the right one' };

/** Passkeys belong to their user: for anybody else they do not exist, whatever the role. */
export const PASSKEY_ROWS: Record<string, AccessRow> = {
  'POST /api/auth/login/passkey/options': send('/api/auth/login/passkey/options', 'public', {}),
  'POST /api/auth/login/passkey': send('/api/auth/login/passkey', 'public', {}, REFUSED),
  'POST /api/auth/not-me': send('/api/auth/not-me', 'public', {}, REFUSED),
  'GET /api/auth/prove': own('/api/auth/prove', 'viewer'),
  'POST /api/auth/prove': send('/api/auth/prove', 'viewer', WRONG, REFUSED),
  'POST /api/auth/prove/passkey': send('/api/auth/prove/passkey', 'viewer', {}),
  'GET /api/auth/passkeys': own('/api/auth/passkeys', 'viewer'),
  'POST /api/auth/passkeys/options': send('/api/auth/passkeys/options', 'viewer', WRONG, REFUSED),
  'POST /api/auth/passkeys': send('/api/auth/passkeys', 'viewer', {}, REFUSED),
  'PATCH /api/auth/passkeys/:id': send('/api/auth/passkeys/99999', 'viewer', { name: 'x' }, REFUSED),
  'POST /api/auth/passkeys/:id/remove': send('/api/auth/passkeys/99999/remove', 'viewer', WRONG, REFUSED),
};
