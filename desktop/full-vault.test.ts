import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import type { Office } from './testing/office.ts';
import { openOffice } from './testing/office.ts';
import { isBuilt } from './testing/program.ts';

const MB = 1024 * 1024;
/** The free plan's storage. */
const PLAN = 1024 * MB;

const test = suite<Office>(
  isBuilt() ? 'a full vault and the built program' : 'a full vault and the program (not built: its sources)',
);
test.before.each(async (office) => {
  await openOffice(office);
  await office.start();
  await office.pair();
  await office.watch();
});
test.after.each((office) => office.end());

/** Leaves this much room in the vault. */
async function leave({ db, account }: Office, bytes: number): Promise<void> {
  const firm_id = account.actor.firmId;
  await db('firm_usage').where({ firm_id, file_type: 'zip' }).delete();
  await db('firm_usage').insert({ firm_id, file_type: 'zip', files: 1, bytes: PLAN - bytes });
}
const fileOf = async ({ program }: Office, name: string) =>
  (await program.state()).files.find((file) => file.name === name);
const holdOf = async ({ program }: Office) => (await program.state()).vaults[0]!.hold;
const arrived = (office: Office, name: string) => until(async () => name in (await office.held()));
/** Puts a recording into the folder that the vault has no room for. */
async function putTooLarge(office: Office): Promise<void> {
  await leave(office, 3 * MB);
  await office.put('site visit.pdf', randomBytes(5 * MB));
  await until(async () => (await holdOf(office))?.hold === 'full');
}

test('a file that is larger than the room left in the vault blocks no smaller one, and goes up once there is room', async (office) => {
  await putTooLarge(office);
  for (const name of ['bill.pdf', 'challan.pdf']) {
    await office.put(name, randomBytes(200_000));
    await arrived(office, name);
  }
  assert.match((await fileOf(office, 'site visit.pdf'))!.problem!, 'Not enough storage');
  assert.match((await holdOf(office))!.message, 'Smaller files go up');
  await leave(office, 20 * MB);
  await arrived(office, 'site visit.pdf');
  await until(async () => (await holdOf(office)) === null);
});

test('the notice that the vault is full ends when the file that does not fit is removed from the queue, or taken away', async (office) => {
  await putTooLarge(office);
  const { id } = (await fileOf(office, 'site visit.pdf'))!;
  await office.program.ask('POST', `/api/files/${id}/remove`);
  // At once, and not only after a later question to the vault.
  await until(async () => (await holdOf(office)) === null, 5000);
  await office.put('second visit.pdf', randomBytes(5 * MB));
  await until(async () => (await holdOf(office))?.hold === 'full');
  await rm(join(office.scans, 'second visit.pdf'));
  await until(async () => (await holdOf(office)) === null);
});

test('an upload that is no longer wanted is cancelled in a full vault too, since it may be what takes the room', async (office) => {
  await office.program.ask('POST', '/api/settings', { speed_limit: MB / 4 });
  await office.put('ledger.pdf', randomBytes(9 * MB));
  await until(async () => ((await fileOf(office, 'ledger.pdf'))?.sent ?? 0) > 0);
  await leave(office, 9 * MB);
  await office.put('bill.pdf', randomBytes(200_000));
  await until(async () => (await holdOf(office))?.hold === 'full');
  await office.program.ask('POST', `/api/files/${(await fileOf(office, 'ledger.pdf'))!.id}/remove`);
  await arrived(office, 'bill.pdf');
  await until(async () => (await holdOf(office)) === null);
  assert.not('ledger.pdf' in (await office.held()));
});

test.run();
