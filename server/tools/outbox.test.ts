import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DATABASE_FILE } from '../../knexfile.ts';
import { readConfig } from '../config/config.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { createColumnSealer } from '../db/column-encryption.ts';
import { OUTBOX_FOLDER, OUTBOX_PURPOSE } from '../mail/outbox.ts';
import { folderTransport } from '../mail/transport.ts';
import { migratedFile } from '../testing/template.ts';
import type { Command } from './command.ts';
import { outbox } from './outbox.ts';
import { replaceKey } from './replace-key.ts';

interface World {
  dataDir: string;
  run(command: Command, args?: string[], options?: Record<string, boolean>): Promise<string>;
}

const test = suite<World>('npm run admin -- outbox');

test.before(async (world) => {
  world.dataDir = await mkdtemp(join(tmpdir(), 'almirah-outbox-'));
  const { dataDir } = world;
  const env = { DATA_DIR: dataDir };
  world.run = async (command, args = [], options = {}) => {
    const said: string[] = [];
    assert.ok(await command.run({ args, options, env, say: (line) => void said.push(line) }));
    return said.join('\n');
  };
  await copyFile(await migratedFile(), join(dataDir, DATABASE_FILE));
  const vault = await openDataDir(readConfig(env), pino({ level: 'silent' }));
  const folder = join(dataDir, OUTBOX_FOLDER);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, '2025-01-01T00-00-00-000Z-old-1.eml'),
    'To: a@rao.in\nSubject: Old\n\nBefore.\n',
  );
  await folderTransport(folder, createColumnSealer(vault.secret, OUTBOX_PURPOSE)).deliver({
    id: 2,
    kind: 'auth.reset',
    messageId: '<2@rao.in>',
    from: { name: 'Almirah', address: 'vault@rao.in' },
    to: { name: 'Asha', address: 'asha@rao.in' },
    date: new Date('2026-11-23T04:00:00Z'),
    subject: 'Choose \u001b[2Ja new password — राव',
    text: 'Open https://vault.test/reset?token=SECRET',
    html: '<p>Open it</p>',
    attachments: [],
  });
  await vault.close();
});
test.after(({ dataDir }) => rm(dataDir, { recursive: true }));

test('stored e-mails are listed and shown with the master key, unsealed ones of older versions too', async ({
  run,
}) => {
  const [old, reset, ...more] = (await run(outbox)).split('\n');
  assert.match(old!, /^ +1 {2}Jan 1, 2025, 5:30 AM IST {2}old-1 {2}a@rao\.in {2}Old {2}\(not sealed\)$/);
  assert.match(
    reset!,
    /^ +2 {2}Nov 23, 2026, 9:30 AM IST {2}auth\.reset-2 {2}asha@rao\.in {2}Choose .*a new password — राव$/,
  );
  assert.equal(more, []);
  const told = await run(outbox, ['2']);
  assert.match(told, /To: +asha@rao\.in\n[^]*\n\nOpen https:\/\/vault\.test\/reset\?token=SECRET$/);
  assert.not.match(told, '\u001b', 'a name steers no terminal');
  assert.match(await run(outbox, ['2'], { eml: true }), /^Auto-Submitted: auto-generated/m);
  const error: unknown = await run(outbox, ['3']).catch((reason: unknown) => reason);
  assert.match((error as Error).message, /There is no e-mail 3/);
});

test('stored e-mails can be read after the master key is replaced', async ({ run }) => {
  await run(replaceKey);
  assert.match(await run(outbox, ['2']), /token=SECRET/);
});

test.run();
