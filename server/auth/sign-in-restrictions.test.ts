import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { World } from '#server/testing/world.ts';
import { freshWorld, TODAY } from '#server/testing/world.ts';
import { seatBindings, USERS_ALLOWED } from './sign-in-restrictions.ts';

const test = suite<World>('seats of a plan');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

const DAY = 24 * 60 * 60_000;
const day = (offset: number) => new Date(TODAY.getTime() + offset * DAY).toISOString();

/** A colleague of the actor, as accepting an invitation makes one. */
async function colleague({ db }: World, firm_id: number, name: string, more = {}): Promise<number> {
  const at = TODAY.toISOString();
  const [row] = await db('users')
    .insert({
      firm_id,
      name,
      email: `${name}@rao.in`,
      phone: '',
      ca_license_number: '',
      role: 'staff',
      permissions: '[]',
      password_hash: 'none',
      created_at: at,
      updated_at: at,
      ...more,
    })
    .returning('id');
  return row.id;
}

async function seated({ db, services, build }: World, id: number): Promise<boolean> {
  const { cookie } = await signedIn({ db, services, build } as World, id);
  return (await services.auth.identifyByCookie(cookie))!.seated;
}

/** A session of the user, whatever the password. */
async function signedIn({ db }: World, user_id: number): Promise<{ cookie: string }> {
  const { fingerprint, newSecret } = await import('#server/http/secrets.ts');
  const cookie = newSecret();
  const at = TODAY.toISOString();
  await db('sessions').insert({
    user_id,
    cookie_hash: fingerprint(cookie),
    token_hash: fingerprint(newSecret()),
    ip: '127.0.0.1',
    user_agent: 'test',
    created_at: at,
    last_used_at: at,
  });
  return { cookie };
}

test('the number of seats computed in SQL always equals that of the subscription service', async (world) => {
  const { db, services, build } = world;
  const plans: { id: number }[] = await db('plans').select('id');
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % below;
  };
  for (let firm = 0; firm < 40; firm += 1) {
    const { firmId } = await build.actor();
    if (random(2))
      await db('trials').insert({ firm_id: firmId, started_at: day(-14), ends_at: day(random(9) - 4) });
    for (let period = random(4); period > 0; period -= 1) {
      const from = random(20) - 15;
      await db('subscriptions').insert({
        firm_id: firmId,
        plan_id: plans[random(plans.length)]!.id,
        billing_cycle: 'monthly',
        amount_paise: 0,
        storage_gb: 1,
        max_users: random(15),
        starts_at: day(from + period / 100),
        ends_at: day(from + random(12)),
        revoked_at: random(5) === 0 ? day(0) : null,
      });
    }
    const [row] = await db('users as u')
      .where('u.firm_id', firmId)
      .select(db.raw(`${USERS_ALLOWED} AS allowed`, seatBindings(world.now())));
    assert.is(row.allowed, (await services.subscription.limits(db, firmId)).users);
  }
});

test('the newest users beyond the plan have no seat until the plan grows or an older user is deactivated', async (world) => {
  const { db, services, build } = world;
  const { actor } = await build.account();
  const [ravi, meera] = [
    await colleague(world, actor.firmId, 'ravi'),
    await colleague(world, actor.firmId, 'meera'),
  ];
  assert.is(await seated(world, actor.userId), true);
  assert.is(await seated(world, ravi), false, 'Free has one user');
  await services.subscription.startTrial(actor);
  assert.equal([await seated(world, ravi), await seated(world, meera)], [true, true], 'the trial has three');
  await db('trials').update({ ends_at: day(-1) });
  assert.equal([await seated(world, ravi), await seated(world, meera)], [false, false]);
  await db('users')
    .where({ id: actor.userId })
    .update({ deactivated_at: day(0) });
  assert.equal([await seated(world, ravi), await seated(world, meera)], [true, false]);
});

test('a user without a seat has reduced permissions in the session, which change with the next request', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  const { cookie } = await signedIn(world, await colleague(world, actor.firmId, 'ravi'));
  assert.equal((await services.auth.identifyByCookie(cookie))!.permissions, [
    'documents.read',
    'documents.download',
  ]);
  await services.subscription.startTrial(actor);
  assert.ok((await services.auth.identifyByCookie(cookie))!.permissions.includes('documents.write'));
});

test('users of other firms take no seat', async (world) => {
  const { build } = world;
  await build.account();
  const { actor } = await build.account();
  assert.is(actor.seated, true);
});

test.run();
