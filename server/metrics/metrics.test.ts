import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openHttpWorld } from '../testing/http-world.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { createMetrics } from './service.ts';

const test = suite<{ world: World }>('metrics');
test.before.each(async (ctx) => void (ctx.world = await freshWorld()));
test.after.each(({ world }) => world.close());

const TOKEN = 'a-token-for-prometheus';

test('metrics need the token, and label requests by route instead of path, which may contain names', async ({
  world,
}) => {
  let lastBackup: Date | null | undefined = new Date(world.now().getTime() - 3_600_000);
  const { answer } = createMetrics({
    db: world.db,
    clock: world.now,
    token: TOKEN,
    version: '1.4.0',
    disk: async () => ({ free: 5, size: 9 }),
    databaseFiles: async () => ({ file: 4096, log: 0 }),
    certificateEnds: () => new Date('2027-01-01T00:00:00Z'),
    lastBackup: async () => lastBackup,
  });
  const front = await openHttpWorld({ metrics: answer });
  try {
    const visitor = await front.visitor();
    assert.is((await visitor.get('/metrics')).status, 401);
    assert.is((await visitor.get('/metrics', { headers: { authorization: 'Bearer wrong' } })).status, 401);
    await visitor.get('/api/auth/user');
    await visitor.get('/secret-client-name');
    await world.build.actor();
    const { status, text } = await visitor.get('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } });
    assert.is(status, 200);
    assert.match(
      text,
      /almirah_http_request_seconds_count\{route="\/api\/auth\/user",method="GET",status="401"\} 1/,
    );
    assert.match(text, /almirah_http_request_seconds_count\{route="none",method="GET",status="404"\} 1/);
    assert.not.ok(text.includes('secret-client-name'));
    assert.match(text, /almirah_jobs\{kind="letter",status="starting"\} 1/);
    assert.match(text, /almirah_sessions 1/);
    assert.match(text, /almirah_backup_age_seconds 3600/);
    const scrape = async () =>
      (await visitor.get('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } })).text;
    lastBackup = null;
    assert.match(
      await scrape(),
      /almirah_backup_age_seconds \+Inf/,
      'never made, so an alarm on the age fires',
    );
    lastBackup = undefined;
    assert.not.match(await scrape(), /^almirah_backup_age_seconds/m, 'no backups are set up');
    assert.match(text, /almirah_disk_bytes\{state="free"\} 5/);
    assert.match(text, /nodejs_eventloop_lag_seconds/);
  } finally {
    await front.close();
  }
});

test.run();
