import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { freshWorld } from '../testing/world.ts';

test('an e-mail is retried when the database could not be read for it, since nobody sends a password reset again', async () => {
  const { db, services, build, deliverMail, advance, close } = await freshWorld();
  const { firmId } = await build.actor();
  await db.transaction((trx) =>
    services.mail.send(trx, {
      to: { name: 'Asha', email: 'asha@rao.in' },
      firm: 'Rao & Sons',
      firmId,
      kind: 'auth.reset',
      email: { subject: 'Reset your password', parts: [] },
    }),
  );
  await db.schema.renameTable('firm_logos', 'firm_logos_away');
  const resets = async () => (await deliverMail()).filter(({ kind }) => kind === 'auth.reset').length;
  assert.is(await resets(), 0);
  await db.schema.renameTable('firm_logos_away', 'firm_logos');
  advance(60_000);
  assert.is(await resets(), 1);
  await close();
});

test.run();
