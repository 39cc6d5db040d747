import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LogLine } from '#desktop/queue/log.ts';
import { until } from '#server/testing/until.ts';
import type { Office } from './testing/office.ts';
import { openOffice, sha256 } from './testing/office.ts';
import { isBuilt } from './testing/program.ts';

const MB = 1024 * 1024;
const content = randomBytes(40 * MB);

const test = suite<Office>(
  isBuilt() ? 'large files by the built program' : 'large files by the program (not built: its sources)',
);
test.before(async (office) => {
  await openOffice(office);
  await office.start();
  await office.pair();
  await office.watch();
});
test.after((office) => office.end());

const slowly = ({ program }: Office, speed_limit: number) =>
  program.ask('POST', '/api/settings', { speed_limit });
const ended = async ({ program }: Office, name: string): Promise<void> =>
  until(async () =>
    (await program.state()).files.some((file) => file.name === name && file.state === 'done'),
  );
async function logged({ program }: Office): Promise<string[]> {
  const { data } = await program.ask<{ data: LogLine[] }>('GET', '/api/log');
  return data.map(({ text }) => text);
}
/** Expects that no unfinished upload remains at the vault, since it would reserve storage for days. */
async function nothingBegun({ db }: Office): Promise<void> {
  assert.equal(await db('storage_reservations'), []);
  assert.equal(await db('resumable_uploads').where({ finished_at: null }), []);
}

test('two large files with the same content are uploaded once: the second upload is cancelled before it completes', async (office) => {
  for (const name of ['ledger.pdf', 'ledger as sent.pdf']) await office.put(name, content);
  await Promise.all([ended(office, 'ledger.pdf'), ended(office, 'ledger as sent.pdf')]);
  assert.equal(Object.values(await office.held()), [sha256(content)]);
  await nothingBegun(office);
});

test('copies of a large file that the vault already has are recognised, not stored again, and leave no unfinished upload', async (office) => {
  await office.put('other.pdf', randomBytes(MB));
  await ended(office, 'other.pdf');
  await slowly(office, 8 * MB);
  for (const name of ['copy.pdf', 'copy of the copy.pdf']) {
    await office.put(name, content);
    await ended(office, name);
    assert.ok((await logged(office)).some((line) => line === `${name} is in My Drive already.`));
  }
  await slowly(office, 0);
  assert.is(Object.keys(await office.held()).length, 2);
  await nothingBegun(office);
});

test('a large file that the vault already has is recognised even when the vault is full, and does not put the vault on hold', async (office) => {
  await office.put('another.pdf', randomBytes(MB));
  await ended(office, 'another.pdf');
  const taken = office.db('firm_usage').where({ file_type: 'zip' });
  const firm_id = office.account.actor.firmId;
  await office.db('firm_usage').insert({ firm_id, file_type: 'zip', files: 1, bytes: 1024 * MB });
  await office.put('no room.pdf', content);
  await ended(office, 'no room.pdf');
  assert.is((await office.program.state()).vaults[0]!.hold, null);
  await taken.delete();
  await nothingBegun(office);
});

test('a large file that changes during its upload arrives with its final content', async (office) => {
  await slowly(office, 8 * MB);
  const [first, last] = [randomBytes(24 * MB), randomBytes(24 * MB)];
  await writeFile(join(office.scans, 'book.pdf'), first);
  await until(async () =>
    (await office.program.state()).files.some(({ name, sent }) => name === 'book.pdf' && sent > MB),
  );
  await writeFile(join(office.scans, 'book.pdf'), last);
  await slowly(office, 0);
  await until(async () => (await office.held())['book.pdf'] === sha256(last));
  await until(async () => (await office.db('storage_reservations')).length === 0);
  await nothingBegun(office);
});

test('a half-sent file that is removed from the queue does not go up after all, and leaves no unfinished upload', async (office) => {
  // Far from complete when it is removed, however late that is seen.
  await slowly(office, MB);
  await office.put('not wanted.pdf', randomBytes(24 * MB));
  const sending = async () =>
    (await office.program.state()).files.find(({ name, sent }) => name === 'not wanted.pdf' && sent > MB);
  await until(async () => (await sending()) !== undefined);
  await office.program.ask('POST', `/api/files/${(await sending())!.id}/remove`);
  await slowly(office, 0);
  // An upload whose address the program does not know yet is begun once more, to be cancelled.
  await until(async () => (await office.db('resumable_uploads').where({ finished_at: null })).length === 0);
  await until(async () => (await office.db('storage_reservations')).length === 0);
  await office.put('wanted.pdf', randomBytes(24 * MB));
  await ended(office, 'wanted.pdf');
  assert.not('not wanted.pdf' in (await office.held()));
  assert.not((await office.program.state()).files.some(({ name }) => name === 'not wanted.pdf'));
});

test.run();
