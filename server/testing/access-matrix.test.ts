import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES } from '#server/permissions.ts';
import { routersOf } from '../app.ts';
import type { Fixtures, AccessRow } from './access-calls.ts';
import { ROWS } from './access-rows.ts';
import type { Account } from './access-world.ts';
import { accessWorld } from './access-world.ts';
import { bearer, Visitor } from './visitor.ts';
import type { World } from './world.ts';
import { freshWorld } from './world.ts';

type Stage = World & Awaited<ReturnType<typeof accessWorld>> & { url: string; visitor: Visitor };

/** Configures payments, so that calls are refused for lack of permission, not because payment is off. */
const UNREACHABLE = {
  keyId: 'key',
  keySecret: 'secret',
  webhookSecrets: [],
  apiUrl: 'http://127.0.0.1:9',
  checkoutUrl: 'http://127.0.0.1:9/checkout.js',
};

const test = suite<Stage>('who may call what');
test.before(async (stage) => {
  const world = await freshWorld({ abuseLimits: false, gateway: UNREACHABLE });
  const url = await world.serve();
  const visitor = await new Visitor(url).arrive();
  Object.assign(stage, world, await accessWorld(world), { url, visitor });
});
test.after((stage) => stage.close());

/** `GET /api/documents`, from the routers themselves. */
const routes = ({ services }: World): string[] =>
  routersOf(services).flatMap(({ stack }) =>
    stack.flatMap(({ methods, path }) =>
      methods
        // A router answers HEAD wherever it answers GET.
        .filter((method) => method !== 'HEAD' || !methods.includes('GET'))
        .map((method) => `${method} ${String(path).replace(/(.)\/$/, '$1')}`),
    ),
  );

/** The status of the call by this account, or without sign-in (null). A stream is closed after its first bytes. */
async function status(stage: Stage, key: string, row: AccessRow, caller: Account | null): Promise<number> {
  const made = stage.fixturesFor(caller ?? stage.admin);
  const { path, body, headers } = await row.ask(made);
  const { visitor } = stage;
  const answered = await fetch(stage.url + path, {
    method: key.slice(0, key.indexOf(' ')),
    headers: {
      ...(caller && bearer(caller.token)),
      cookie: [...visitor.jar].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': visitor.jar.get('XSRF-TOKEN') ?? '',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
  });
  await answered.body?.cancel();
  return answered.status;
}

/** The account, signed in again if an earlier call has ended its session. */
const freshly = async (stage: Stage, account: Account): Promise<Account> => {
  const from = { ip: '127.0.0.1', userAgent: 'test' };
  if (await stage.services.auth.identifyByToken(account.token, from)) return account;
  const entry = await stage.services.auth.signIn(account, from);
  if (!('token' in entry)) throw new Error('A second step is asked for.');
  account.token = entry.token;
  account.actor = (await stage.services.auth.identifyByToken(entry.token, from))!;
  return account;
};

const through = (row: AccessRow, got: number) => got < 400 || row.allow?.includes(got);
const said = (key: string, who: string, got: number) => `${key} by ${who}: ${got}`;

/** Calls about the own account and the own uploads, and what every signed-in page asks for. */
const OWN_ACCOUNT =
  /^\w+ \/api\/(?:auth\/|app-passwords|events$|documents\/(?:extraction-status|resumable\/)|subscription\/current$)/;

/** The firm's data that a refused call must not change. */
const state = async ({ db, admin }: Stage): Promise<string> => {
  const of = { firm_id: admin.actor.firmId };
  return JSON.stringify([
    await db('items').where(of).orderBy('id').select('id', 'name', 'parent_id', 'client_id', 'owner_id'),
    await db('versions').where(of).orderBy('id').select('id', 'kept_as'),
    await db('clients').where(of).orderBy('id').select('id', 'name', 'city'),
    await db('users').where(of).orderBy('id').select('id', 'role', 'deactivated_at'),
    await db('invitations').where(of).orderBy('id').select('id', 'token_hash'),
    await db('requests').where(of).orderBy('id').select('id', 'token_hash', 'closed_at', 'title'),
    await db('share_links').where(of).orderBy('id').select('id', 'token_hash', 'revoked_at', 'expires_at'),
    await db('portals').where(of).orderBy('id').select('id', 'token_hash', 'revoked_at'),
    await db('portal_emails').orderBy('id').select('portal_id', 'email'),
  ]);
};

test('every route has a row in the access matrix, and every row has a route', (stage) => {
  assert.equal(routes(stage).toSorted(), Object.keys(ROWS).toSorted());
});

test('each role is let through where its row says so, and refused with 403 everywhere else', async (stage) => {
  const wrong: string[] = [];
  for (const [key, row] of Object.entries(ROWS)) {
    for (const role of ROLES) {
      const got = await status(stage, key, row, await freshly(stage, stage.roles[role]));
      const allowed = row.gate === 'public' || ROLES.indexOf(role) <= ROLES.indexOf(row.gate);
      if (allowed ? !through(row, got) : got !== (row.refused ?? 403)) wrong.push(said(key, role, got));
    }
  }
  assert.equal(wrong, []);
});

test('an admin who owes two-step sign-in is refused on every route but those of the own account, because being an admin is a role and no permission', async (stage) => {
  const { build, db, admin } = stage;
  const owing = await build.colleague(admin.actor, { role: 'admin', name: 'Owing' });
  const firm = () => db('firms').where({ id: admin.actor.firmId });
  await firm().update({ two_step_required_at: stage.now().toISOString() });
  const wrong: string[] = [];
  for (const [key, row] of Object.entries(ROWS)) {
    if (row.gate === 'public' || OWN_ACCOUNT.test(key)) continue;
    const got = await status(stage, key, row, await freshly(stage, owing));
    if (got !== 403 && got !== 404) wrong.push(said(key, 'an admin who owes two-step sign-in', got));
  }
  await firm().update({ two_step_required_at: null });
  assert.equal(wrong, []);
});

test('a deactivated user is refused immediately, and without sign-in every call is refused', async (stage) => {
  const wrong: string[] = [];
  for (const [key, row] of Object.entries(ROWS)) {
    for (const [who, caller] of [
      ['one deactivated', stage.gone],
      ['nobody', null],
    ] as const) {
      const before = await state(stage);
      const got = await status(stage, key, row, caller);
      if (row.gate === 'public' ? !through(row, got) : got !== 401) wrong.push(said(key, who, got));
      else if (row.gate !== 'public' && (await state(stage)).length < before.length)
        wrong.push(`${key} by ${who} changed something`);
    }
  }
  assert.equal(wrong, []);
});

test('without sign-in every call with a wrong input is refused with 401 too, because the input is read only of one who may call', async (stage) => {
  const wrong: string[] = [];
  for (const [key, row] of Object.entries(ROWS)) {
    if (row.gate === 'public') continue;
    const path = key.slice(key.indexOf(' ') + 1).replaceAll(/:\w+/g, 'abc');
    for (const body of key.startsWith('GET') || key.startsWith('HEAD') ? [undefined] : [undefined, ['abc']]) {
      const ask = () => ({ path: `${path}?limit=abc&query=`, body });
      const got = await status(stage, key, { ...row, ask }, null);
      if (got !== 401) wrong.push(said(key, 'nobody, with a wrong input', got));
    }
  }
  assert.equal(wrong, []);
});

/** The body with one of its texts or numbers replaced by what PostgreSQL cannot read, each in turn. */
function* unreadable(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield `${value}\0x`;
  else if (typeof value === 'number') yield 1e300;
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value))
      for (const other of unreadable(member))
        yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
}

test('a text with a NUL and a number that is no id are no fault of the server on any route', async (stage) => {
  const wrong: string[] = [];
  for (const [key, row] of Object.entries(ROWS)) {
    const { body } = await row.ask(stage.fixturesFor(stage.admin));
    if (body instanceof Uint8Array) continue;
    for (const n of [...unreadable(body)].keys()) {
      const ask = async (made: Fixtures) => {
        const call = await row.ask(made);
        return { ...call, body: [...unreadable(call.body)][n] };
      };
      const got = await status(stage, key, { ...row, ask }, await freshly(stage, stage.admin));
      if (got >= 500) wrong.push(said(key, `an admin, with the odd value ${n + 1}`, got));
    }
  }
  assert.equal(wrong, []);
});

test('on every route, records of another firm get the response of records that do not exist, and are not changed', async (stage) => {
  const wrong: string[] = [];
  for (const [key, row] of Object.entries(ROWS)) {
    if (row.foreign === 'own' || row.gate === 'public') continue;
    const asked = await row.ask(stage.fixturesFor(stage.admin));
    const before = await state(stage);
    const got = await status(stage, key, { ...row, ask: () => asked }, await freshly(stage, stage.stranger));
    if (row.foreign === 'none' ? got !== 200 && got !== 404 && got !== 422 : got !== 404)
      wrong.push(said(key, 'an admin of another firm', got));
    if ((await state(stage)) !== before) wrong.push(`${key} changed what belongs to another firm`);
  }
  assert.equal(wrong, []);
});

/** Fixtures that note which kinds of the firm's records a call names. */
function noting(made: Fixtures): { made: Fixtures; named: Set<string> } {
  const named = new Set<string>();
  const noted = { ...made };
  for (const what of ['file', 'trashed', 'zip', 'client', 'share', 'request', 'portal'] as const)
    noted[what] = () => {
      named.add(what);
      return made[what]();
    };
  noted.version = () => {
    named.add('version');
    return made.version();
  };
  return { made: noted, named };
}

test('on every route, a user with assigned clients can neither see nor change other clients and unassigned items', async (stage) => {
  const { build, db, admin, assigned: ravi } = stage;
  const [own, other] = [await build.client(admin.actor, 'Own'), await build.client(admin.actor, 'Other')];
  await db('user_clients').insert({ user_id: ravi.actor.userId, client_id: own });
  const wrong: string[] = [];
  let asked = 0;
  for (const [key, row] of Object.entries(ROWS)) {
    if (row.gate === 'public' || row.gate === 'admin') continue;
    for (const [whose, of] of [
      ['an own', { client_id: own, assign: ravi }],
      ['another', { client_id: other }],
      ['nobody’s', {}],
    ] as const) {
      const { made, named } = noting(stage.fixturesFor(ravi, of));
      const call = await row.ask(made);
      if (named.size === 0) break;
      if (whose === 'nobody’s' && named.has('client')) continue;
      asked += 1;
      const before = await state(stage);
      const got = await status(stage, key, { ...row, ask: () => call }, await freshly(stage, ravi));
      const hidden = row.foreign === 'none' ? [200, 404, 422] : [404];
      // 422: a change after which the user could no longer see the item is refused with a message.
      if (whose === 'an own' ? !through(row, got) && got !== 422 : !hidden.includes(got))
        wrong.push(said(key, `one with assigned clients, of ${whose} client`, got));
      if (whose !== 'an own' && (await state(stage)) !== before)
        wrong.push(`${key} changed what is not there for one with assigned clients`);
    }
  }
  assert.equal(wrong, []);
  assert.ok(asked > 60, 'most calls name a file or a client');
});

test.run();
