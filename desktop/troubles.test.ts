import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import { GROWING } from './watch/watcher.ts';
import type { Office } from './testing/office.ts';
import { openOffice, pair, sha256 } from './testing/office.ts';
import { isBuilt } from './testing/program.ts';

const test = suite<Office>(
  isBuilt() ? 'failures and the built program' : 'failures and the program (not built: its sources)',
);
test.before.each(async (office) => {
  await openOffice(office);
  await office.start();
  await office.pair();
});
test.after.each((office) => office.end());

const fileOf = async ({ program }: Office, name: string) =>
  (await program.state()).files.find((file) => file.name === name);
const arrived = (office: Office, name: string) => until(async () => name in (await office.held()));

test('a slowly written scan arrives complete in its client’s folder, without an open browser', async (office) => {
  const client_id = await office.build.client(office.account.actor, 'Sharma Traders');
  await office.watch({ client_id });
  const { parent_id, target } = (await office.program.state()).folders[0]!;
  assert.is(target, 'Sharma Traders');
  const scan = join(office.scans, 'scan0001.pdf');
  const pages = Array.from({ length: 6 }, () => randomBytes(100_000));
  for (const [index, page] of pages.entries()) {
    await appendFile(scan, page);
    // Wait until the program has scanned once before the scanner continues.
    await until(async () => (await fileOf(office, 'scan0001.pdf'))?.size === 100_000 * (index + 1));
  }
  const whole = sha256(Buffer.concat(pages));
  await until(async () => (await office.held(parent_id))['scan0001.pdf'] === whole);
  assert.equal(Object.keys(await office.held(parent_id)), ['scan0001.pdf']);
  const [item] = (await office.services.documents.folder(office.account.actor, parent_id)).items;
  assert.is(item!.client_id, client_id);
});

test('changed files become versions of the documents that were made of them, though two of a folder without sub-folders, and a colleague’s, have one name', async (office) => {
  const { build, account, services } = office;
  await build.file(account.actor, { name: 'Scan.pdf', content: 'of a colleague' });
  await mkdir(join(office.scans, 'b'));
  await writeFile(join(office.scans, 'Scan.pdf'), 'mine');
  await office.watch({ sub_folders: 'flat' });
  await arrived(office, 'Scan (2).pdf');
  await writeFile(join(office.scans, 'b/Scan.pdf'), 'below');
  await arrived(office, 'Scan (3).pdf');
  await writeFile(join(office.scans, 'Scan.pdf'), 'mine, corrected');
  await writeFile(join(office.scans, 'b/Scan.pdf'), 'below, corrected');
  const expected = {
    'Scan.pdf': sha256('of a colleague'),
    'Scan (2).pdf': sha256('mine, corrected'),
    'Scan (3).pdf': sha256('below, corrected'),
  };
  await until(async () => {
    const { items } = await services.documents.folder(account.actor, null);
    const counts = await Promise.all(items.map(({ id }) => services.versions.list(account.actor, id)));
    return counts.filter(({ earlier }) => earlier.length === 1).length === 2;
  });
  assert.equal(await office.held(), expected);
});

test('a file that keeps growing is reported, does not delay other files, and is sent once it is complete', async (office) => {
  await office.watch();
  const log = join(office.scans, 'day book.csv');
  let growing = true;
  const growth = (async () => {
    for (let line = 0; growing; line += 1) {
      await appendFile(log, `${line}\n`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  await until(async () => (await fileOf(office, 'day book.csv'))?.problem === GROWING);
  await writeFile(join(office.scans, 'bill.pdf'), 'a bill');
  await arrived(office, 'bill.pdf');
  growing = false;
  await growth;
  const whole = sha256(await readFile(log));
  await until(async () => (await office.held())['day book.csv'] === whole);
  assert.equal(Object.keys(await office.held()).toSorted(), ['bill.pdf', 'day book.csv']);
});

test('a file whose path has more than 300 characters is uploaded with all its folders', async (office) => {
  await office.watch();
  const names = Array.from({ length: 4 }, (_, level) =>
    `${level} ${'Assessment year papers '.repeat(4)}`.trim(),
  );
  const folder = join(office.scans, ...names);
  assert.ok(folder.length > 300);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'challan.pdf'), 'a challan');
  let parent: number | null = null;
  for (const name of names) {
    const above: number | null = parent;
    await until(async () => {
      const { items } = await office.services.documents.folder(office.account.actor, above);
      parent = items.find((item) => item.name === name)?.id ?? above;
      return parent !== above;
    });
  }
  const last = parent;
  await until(async () => 'challan.pdf' in (await office.held(last)));
});

test('when a network share is lost during an upload, no queued file is lost and nothing is deleted, and the upload continues later', async (office) => {
  await office.watch();
  await writeFile(join(office.scans, 'first.pdf'), 'first');
  await arrived(office, 'first.pdf');
  // Slow enough to be interrupted in the middle.
  await office.program.ask('POST', '/api/settings', { speed_limit: 1024 * 1024 });
  const ledger = randomBytes(8 * 1024 * 1024);
  await office.put('ledger.pdf', ledger);
  await office.put('bill.pdf', randomBytes(4 * 1024 * 1024));
  await writeFile(join(office.scans, 'note.txt'), 'a note');
  await until(async () => ((await fileOf(office, 'ledger.pdf'))?.sent ?? 0) > 0);
  await rename(office.scans, `${office.scans}-away`);
  await until(async () => (await office.program.state()).folders[0]!.away !== null);
  const { counts, vaults } = await office.program.state();
  assert.ok(counts.waiting + counts.sending > 0, 'they wait for it');
  assert.is(vaults[0]!.hold, null, 'the vault is not what is away');
  await rename(`${office.scans}-away`, office.scans);
  await office.program.ask('POST', '/api/settings', { speed_limit: 0 });
  for (const name of ['ledger.pdf', 'bill.pdf', 'note.txt']) await arrived(office, name);
  assert.equal(Object.keys(await office.held()).toSorted(), [
    'bill.pdf',
    'first.pdf',
    'ledger.pdf',
    'note.txt',
  ]);
  assert.is((await office.held())['ledger.pdf'], sha256(ledger));
});

test('an unmounted share, which leaves an empty folder, causes neither deletions in the vault nor duplicate uploads later', async (office) => {
  await office.watch();
  await writeFile(join(office.scans, 'bill.pdf'), 'a bill');
  await arrived(office, 'bill.pdf');
  await rename(office.scans, `${office.scans}-away`);
  await mkdir(office.scans);
  await writeFile(join(office.scans, 'local.pdf'), 'beside');
  await arrived(office, 'local.pdf');
  await rm(office.scans, { recursive: true });
  await rename(`${office.scans}-away`, office.scans);
  await writeFile(join(office.scans, 'after.pdf'), 'after');
  await arrived(office, 'after.pdf');
  assert.equal(Object.keys(await office.held()).toSorted(), ['after.pdf', 'bill.pdf', 'local.pdf']);
});

test('an upload that ends while the queue cannot be written, as on a full disk, ends neither the program nor later uploads', async (office) => {
  await office.watch();
  // Slow enough that the queue is locked before its end.
  await office.program.ask('POST', '/api/settings', { speed_limit: 512 * 1024 });
  await office.put('ledger.pdf', randomBytes(3 * 1024 * 1024));
  await until(async () => ((await fileOf(office, 'ledger.pdf'))?.sent ?? 0) > 0);
  const queue = new DatabaseSync(join(office.dir, 'program/queue.db'), { timeout: 10_000 });
  // Nobody else can write now.
  queue.exec('BEGIN IMMEDIATE');
  await arrived(office, 'ledger.pdf');
  await until(async () => (await fileOf(office, 'ledger.pdf'))?.sent === 0);
  queue.close();
  await writeFile(join(office.scans, 'bill.pdf'), 'a bill');
  await arrived(office, 'bill.pdf');
  await until(async () => (await fileOf(office, 'ledger.pdf'))?.state === 'done');
  assert.equal(Object.keys(await office.held()).toSorted(), ['bill.pdf', 'ledger.pdf']);
});

test('a file half sent when another target is chosen for its folder arrives there and nowhere else', async (office) => {
  const { actor } = office.account;
  const folder = async (name: string) =>
    (await office.services.documents.createFolder(actor, { name, parent_id: null, client_id: null })).id;
  const [before, now] = [await folder('Client A'), await folder('Client B')];
  await office.watch({ parent_id: before });
  await office.program.ask('POST', '/api/settings', { speed_limit: 1024 * 1024 });
  const ledger = randomBytes(24 * 1024 * 1024);
  await office.put('ledger.pdf', ledger);
  await until(async () => ((await fileOf(office, 'ledger.pdf'))?.sent ?? 0) > 0);
  const { id, vault, path } = (await office.program.state()).folders[0]!;
  await office.program.ask('POST', `/api/folders/${id}`, { vault, path, parent_id: now, target: 'Client B' });
  await office.program.ask('POST', '/api/settings', { speed_limit: 0 });
  await until(async () => 'ledger.pdf' in (await office.held(now)));
  assert.is((await office.held(now))['ledger.pdf'], sha256(ledger));
  assert.equal(await office.held(before), {});
  await until(async () => (await office.db('storage_reservations')).length === 0);
});

test('what waits while the vault is away follows a changed choice of its folder: what is left out by now stays here, and nothing goes into sub-folders any more', async (office) => {
  await office.watch();
  office.proxy.cut();
  await mkdir(join(office.scans, 'Private'));
  await mkdir(join(office.scans, 'GST'));
  for (const name of ['Private/will.pdf', 'GST/GSTR-3B April 2026.pdf'])
    await writeFile(join(office.scans, name), name);
  const { id, vault, path } = (await office.program.state()).folders[0]!;
  await until(async () => {
    const { files, vaults } = await office.program.state();
    return vaults[0]!.hold !== null && files.filter(({ state }) => state === 'waiting').length === 2;
  });
  const choice = { vault, path, sub_folders: 'flat', leave_out: ['Private/*'], after: 'delete' };
  await office.program.ask('POST', `/api/folders/${id}`, choice);
  assert.is((await office.program.state()).counts.waiting, 1);
  office.proxy.mend();
  await arrived(office, 'GSTR-3B April 2026.pdf');
  await until(async () => (await office.program.state()).files.every(({ state }) => state === 'done'));
  assert.equal(Object.keys(await office.held()), ['GSTR-3B April 2026.pdf']);
  assert.is(await readFile(join(office.scans, 'Private/will.pdf'), 'utf8'), 'Private/will.pdf');
});

test('after the vault was restored from a backup, it gets what it lost again, and what is filed elsewhere by now not twice', async (office) => {
  const { services, account } = office;
  const { actor } = account;
  await office.watch();
  for (const name of ['kept.pdf', 'lost.pdf']) {
    await writeFile(join(office.scans, name), `content of ${name}`);
    await arrived(office, name);
  }
  await until(async () => (await fileOf(office, 'lost.pdf'))?.state === 'done');
  await until(async () => {
    const queue = new DatabaseSync(join(office.dir, 'program/queue.db'), { timeout: 10_000 });
    const { data_folder } = queue.prepare('SELECT data_folder FROM vaults').get()!;
    queue.close();
    return data_folder !== null;
  });
  await office.program.kill();
  // The vault as it would be after a restore: without the newer document, and with its id given to another one.
  const { items } = await services.documents.folder(actor, null);
  const idOf = (name: string) => items.find((item) => item.name === name)!.id;
  const filed = (
    await services.documents.createFolder(actor, { name: 'Filed', parent_id: null, client_id: null })
  ).id;
  await services.documents.move(actor, { ids: [idOf('kept.pdf')], parent_id: filed });
  await office.db('resumable_uploads').delete();
  const other = { id: idOf('lost.pdf') };
  await services.documents.rename(actor, other.id, { name: 'other.pdf' });
  await office
    .db('item_rows')
    .where(other)
    .update({ sha256: sha256('other') });
  const queue = new DatabaseSync(join(office.dir, 'program/queue.db'), { timeout: 10_000 });
  queue.exec(`UPDATE vaults SET data_folder = 'the one before'`);
  queue.close();
  await office.start();
  await arrived(office, 'lost.pdf');
  for (const name of ['kept.pdf', 'lost.pdf'])
    await until(async () => (await fileOf(office, name))?.state === 'done');
  assert.equal(Object.keys(await office.held()).toSorted(), ['Filed', 'lost.pdf', 'other.pdf']);
  assert.equal(Object.keys(await office.held(filed)), ['kept.pdf']);
});

test('after a restore, a content of two watched folders is sent to the one that lacks it, since each belongs to another client', async (office) => {
  const { services, account, build } = office;
  const folders = [join(office.dir, 'bank'), join(office.dir, 'tax')];
  const targets = [await build.folder(account.actor, 'Bank'), await build.folder(account.actor, 'Tax')];
  for (const [index, path] of folders.entries()) {
    await mkdir(path);
    await office.watch({ path, parent_id: targets[index]!.id });
    await writeFile(join(path, 'PAN.pdf'), 'the same card');
    await until(async () => 'PAN.pdf' in (await office.held(targets[index]!.id)));
  }
  await until(async () => (await office.program.state()).files.every(({ state }) => state === 'done'));
  await office.program.kill();
  const [bank] = targets;
  // As after a restore: the first folder's document is not there any more.
  const [lost] = (await services.documents.folder(account.actor, bank!.id)).items;
  await office.db('resumable_uploads').delete();
  await services.documents.rename(account.actor, lost!.id, { name: 'other.pdf' });
  await office
    .db('item_rows')
    .where({ id: lost!.id })
    .update({ sha256: sha256('other') });
  const queue = new DatabaseSync(join(office.dir, 'program/queue.db'), { timeout: 10_000 });
  queue.exec(`UPDATE vaults SET data_folder = 'the one before'`);
  queue.close();
  await office.start();
  await until(async () => 'PAN.pdf' in (await office.held(bank!.id)));
  await until(async () => (await office.program.state()).files.every(({ state }) => state === 'done'));
  assert.equal(Object.keys(await office.held(targets[1]!.id)), ['PAN.pdf']);
});

test('two vaults have separate folders, and an unreachable vault does not delay uploads to the other', async (office) => {
  const other = {} as Office;
  await openOffice(other);
  try {
    await pair(office.program, other);
    await office.watch();
    const { vaults } = await office.program.state();
    const path = join(other.dir, 'scans');
    const vault = vaults.find(({ base }) => base === other.base)!.id;
    await office.program.ask('POST', '/api/folders', { vault, path });
    other.proxy.cut();
    await writeFile(join(path, 'theirs.pdf'), 'theirs');
    await until(
      async () =>
        (await office.program.state()).vaults.find(({ id }) => id === vault)?.hold?.hold === 'offline',
    );
    await writeFile(join(office.scans, 'ours.pdf'), 'ours');
    await arrived(office, 'ours.pdf');
    other.proxy.mend();
    await arrived(other, 'theirs.pdf');
    assert.equal(Object.keys(await office.held()), ['ours.pdf']);
    assert.equal(Object.keys(await other.held()), ['theirs.pdf']);
  } finally {
    await other.end();
  }
});

test('after a user is deactivated nothing more is sent; queued files are kept, and the pairing is reported as ended', async (office) => {
  await office.watch();
  const { actor } = office.account;
  const ravi = await office.build.colleague(actor);
  await office.program.ask(
    'POST',
    `/api/vaults/${(await office.program.state()).vaults[0]!.id}/disconnect`,
    {},
  );
  await pair(office.program, { ...office, account: ravi } as Office);
  await office.watch();
  await writeFile(join(office.scans, 'before.pdf'), 'before');
  await arrived(office, 'before.pdf');
  await office.services.team.deactivate(actor, ravi.actor.userId, { heir: null });
  await writeFile(join(office.scans, 'after.pdf'), 'after');
  await until(async () => (await office.program.state()).vaults[0]!.hold?.hold === 'ended');
  // The vault may have said so before the file was complete.
  await until(async () => (await office.program.state()).counts.waiting === 1);
  assert.not('after.pdf' in (await office.held()));
});

test.run();
