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
          codes += await allowed(...emailTries(1, 'owner@sharma.in', ip));
          tries += await allowed(...codeTries(1, ip));
        }
        world.advance(HOUR);
      }
      return [codes, tries];
    };
    assert.equal(await day(), [15, 60]);
    assert.equal(await day(), [15, 60], 'on the next day there are as many again');
    assert.is(await allowed(...codeTries(2, '10.0.0.1')), 1, 'another page has its own');
  } finally {
    await world.close();
  }
});

test.run();
