import type { AccessRow } from '../access-calls.ts';
import { own, REFUSED, send } from '../access-calls.ts';

/** Registration, sign-in, two-step sign-in and sessions. */
export const ACCOUNT_ROWS: Record<string, AccessRow> = {
  'POST /api/auth/register': send('/api/auth/register', 'public', {}, REFUSED),
  'POST /api/auth/join': send('/api/auth/join', 'public', {}, REFUSED),
  'POST /api/auth/login': send('/api/auth/login', 'public', {}, REFUSED),
  'POST /api/auth/login/code': send('/api/auth/login/code', 'public', {}, REFUSED),
  'POST /api/auth/forgot-password': send('/api/auth/forgot-password', 'public', {}, REFUSED),
  'POST /api/auth/reset-password': send('/api/auth/reset-password', 'public', {}, REFUSED),
  'POST /api/auth/confirm-email': send('/api/auth/confirm-email', 'public', {}, REFUSED),
  'GET /api/auth/user': own('/api/auth/user', 'viewer'),
  'POST /api/auth/logout': send('/api/auth/logout', 'viewer', {}),
  'POST /api/auth/logout-all': send('/api/auth/logout-all', 'viewer', {}),
  'PUT /api/auth/profile': send('/api/auth/profile', 'viewer', {}),
  'POST /api/auth/change-password': send('/api/auth/change-password', 'viewer', {}, REFUSED),
  'GET /api/auth/two-step': own('/api/auth/two-step', 'viewer'),
  'POST /api/auth/two-step/setup': send(
    '/api/auth/two-step/setup',
    'viewer',
    { current_password: 'not the right one', code: '123456' },
    REFUSED,
  ),
  'POST /api/auth/two-step/confirm': send('/api/auth/two-step/confirm', 'viewer', { code: '1' }, REFUSED),
  'POST /api/auth/two-step/disable': send(
    '/api/auth/two-step/disable',
    'viewer',
    { current_password: 'not the right one', code: '123456' },
    REFUSED,
  ),
  'POST /api/auth/two-step/recovery-codes': send(
    '/api/auth/two-step/recovery-codes',
    'viewer',
    { current_password: 'not the right one', code: '123456' },
    REFUSED,
  ),
  'GET /api/auth/sessions': own('/api/auth/sessions', 'viewer'),
  'DELETE /api/auth/sessions/:id': {
    gate: 'viewer',
    ask: ({ admin }) => ({ path: `/api/auth/sessions/${admin.actor.sessionId}` }),
    // Sessions belong to their user: for anybody else they do not exist, whatever the role.
    allow: [404],
  },
  'POST /api/auth/logout-others': send('/api/auth/logout-others', 'viewer', {}),
};
