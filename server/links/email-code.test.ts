import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRateLimiter } from '#server/http/rate-limiter.ts';
import { freshWorld } from '#server/testing/world.ts';
import { codeLimits } from './email-code.ts';

const HOUR = 60 * 60_000;

test('patient guessing that keeps to the limits of an hour stops at those of a day, since a page that stays for years would be opened by it', async () => {
  const world = await freshWorld();
  try {
    const limits = createRateLimiter({ db: world.db, clock: () => new Date(world.now()), enabled: true });
    const { codeTries, emailTries } = codeLimits('portal');
    const [link, owner] = [{ id: 1, token_hash: 'old' }, 'owner@sharma.in'];
    const allowed = async (...tries: ReturnType<typeof codeTries>) =>
      limits.check(...tries).then(
        () => 1,
        () => 0,
      );
    const day = async () => {
      let [codes, tries] = [0, 0];
      for (let hour = 0; hour < 24; hour += 1) {
        for (let n = 0; n < 5; n += 1) {
          const ip = `10.${hour}.${n}.1`;
          codes += await allowed(...emailTries(link, owner, ip));
          tries += await allowed(...codeTries(link, owner, ip));
        }
        world.advance(HOUR);
      }
      return [codes, tries];
    };
    assert.equal(await day(), [15, 30]);
    assert.equal(await day(), [15, 30], 'on the next day there are as many again');
    for (let n = 0; n < 30; n += 1) await allowed(...codeTries(link, owner, `10.9.${n}.1`));
    const [ip, anew] = ['10.0.0.1', { id: 1, token_hash: 'new' }];
    assert.is(await allowed(...codeTries(link, owner, ip)), 0);
    assert.is(
      await allowed(...codeTries(link, 'partner@sharma.in', ip)),
      1,
      'another recipient has an own count',
    );
    assert.is(await allowed(...codeTries(anew, owner, ip)), 1, 'a new address of the page begins anew');
    assert.is(await allowed(...emailTries(anew, owner, ip)), 1);
  } finally {
    await world.close();
  }
});

test.run();
