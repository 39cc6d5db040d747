import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createAbandoned } from '#desktop/queue/abandoned.ts';
import { openStores, withFolder } from '#desktop/testing/folder.ts';

const seen = (name: string, size = 10, changed_at = 1000) => ({
  path: join('/scans', name),
  sub_path: '',
  size,
  changed_at,
});

test('a file is queued once however often it is seen, and again after a change', () =>
  withFolder((folder) => {
    const { db, files, watched, vault } = openStores(folder);
    assert.is(files.record(watched, [seen('a.pdf')]), 1);
    assert.is(files.record(watched, [seen('a.pdf')]), 0);
    const [one] = files.settling(Infinity);
    files.markComplete(one!.id);
    files.arrive(one!.id, 5);
    files.done(one!.id);
    assert.is(files.record(watched, [seen('a.pdf')]), 0, 'what is done stays done');
    assert.is(files.next(vault.id, []), undefined);

    assert.is(files.record(watched, [seen('a.pdf', 11)]), 1);
    const changed = files.find(one!.id)!;
    assert.is(changed.item_id, 5, 'it becomes a version of what went up');
    assert.is.not(changed.upload_key, one!.upload_key, 'another content is another upload');
    assert.is(changed.sha256, null);
    db.close();
  }));

test('a file whose content the vault had already replaces nothing when it changes, since that document may be somebody else’s', () =>
  withFolder((folder) => {
    const { db, files, watched } = openStores(folder);
    files.record(watched, [seen('a.pdf')]);
    const { id } = files.settling(Infinity)[0]!;
    files.arrive(id, null);
    files.done(id);
    files.record(watched, [seen('a.pdf', 11)]);
    assert.is(files.find(id)!.item_id, null);
    files.arrive(id, 6);
    files.record(watched, [seen('a.pdf', 12)]);
    files.arrive(id, null);
    assert.is(files.find(id)!.item_id, 6, 'its own document stays its own');
    db.close();
  }));

test('after an update of the program, files that went up before replace nothing, since the queue did not tell whose documents they were', () =>
  withFolder((folder) => {
    const { db, files, watched } = openStores(folder);
    files.record(watched, [seen('a.pdf')]);
    db.exec(`DROP TRIGGER upload_replaced; DROP TRIGGER upload_forgotten; DROP TABLE abandoned;
      ALTER TABLE files ADD COLUMN version INTEGER NOT NULL DEFAULT 0; ALTER TABLE files DROP COLUMN sent_before;
      ALTER TABLE vaults DROP COLUMN data_folder;
      UPDATE files SET state = 'done', item_id = 5; PRAGMA user_version = 1`);
    db.close();
    const updated = openStores(folder);
    assert.is(updated.files.record(watched, [seen('a.pdf', 11)]), 1);
    assert.is(updated.files.settling(Infinity)[0]!.item_id, null);
    updated.db.close();
  }));

test('a new file with the name of a deleted one is not a version of it, since scanners restart their numbers every morning', () =>
  withFolder((folder) => {
    const { db, files, watched } = openStores(folder);
    files.record(watched, [seen('scan0001.pdf')]);
    const [one] = files.settling(Infinity);
    files.done(one!.id);
    files.releaseMissing(watched.id, '/scans', new Set(['other.pdf']));
    assert.is(files.record(watched, [seen('scan0001.pdf', 99, 2000)]), 1);
    assert.is(files.settling(Infinity)[0]!.item_id, null);
    assert.is(files.shown().filter(({ state }) => state === 'done').length, 1, 'what went up is still told');
    db.close();
  }));

test('a document in a sub-folder that replaces one of the same name is not a version of the other batch’s, since each batch starts with 001.pdf', () =>
  withFolder((folder) => {
    const { db, files, watched } = openStores(folder);
    const below = (sub_path: string, size = 10) => ({ ...seen(`${sub_path}/001.pdf`, size), sub_path });
    const places = ['Batch', 'Batch/GST', 'Batch 2', 'Batchwise'];
    files.record(
      watched,
      places.map((place) => below(place)),
    );
    for (const { id } of files.settling(Infinity)) {
      files.arrive(id, id + 100);
      files.done(id);
    }
    const refused = { ...seen('Batch/plan.dwg'), sub_path: 'Batch' };
    files.record(watched, [refused]);
    files.fail(files.settling(Infinity)[0]!.id, 'Files of this type are not taken.');
    files.releaseMissing(watched.id, '/scans', new Set(['Batch 2', 'Batchwise']));
    assert.not(
      files.shown().some(({ state }) => state === 'failed'),
      'what is the user’s own is forgotten',
    );
    files.record(
      watched,
      places.map((place) => below(place, 99)),
    );
    assert.equal(
      files.settling(Infinity).map(({ sub_path, item_id }) => [sub_path, item_id !== null]),
      [
        ['Batch 2', true],
        ['Batchwise', true],
        ['Batch', false],
        ['Batch/GST', false],
      ],
    );
    db.close();
  }));

test('a new version that waits while the vault is away replaces nothing once its file was taken away, since another may come under its name', () =>
  withFolder((folder) => {
    const { db, files, watched, vault } = openStores(folder);
    files.record(watched, [seen('scan0001.pdf')]);
    const [one] = files.settling(Infinity);
    files.arrive(one!.id, 5);
    files.done(one!.id);
    files.record(watched, [seen('scan0001.pdf', 11)]);
    files.markComplete(one!.id);
    files.releaseMissing(watched.id, '/scans', new Set());
    assert.is(files.next(vault.id, []), undefined, 'it is checked first whether it is gone');
    assert.is(files.settling(Infinity)[0]!.item_id, null);
    db.close();
  }));

test('a refused file that is left out, or taken away, is forgotten with its upload, since it is the user’s own and was never sent', () =>
  withFolder((folder) => {
    const { db, files, watched, vault } = openStores(folder);
    files.record(watched, [seen('plan.dwg'), seen('stays.dwg')]);
    const [plan, stays] = files.settling(Infinity);
    files.begin(plan!.id);
    files.located(plan!.id, '/u/1');
    for (const { id } of [plan!, stays!]) files.fail(id, 'Files of this type are not taken.');
    files.releaseMissing(watched.id, '/scans', new Set(['stays.dwg']));
    assert.equal(
      files.shown().map(({ name, folder: within }) => [name, within]),
      [['stays.dwg', watched.id]],
    );
    assert.equal(
      createAbandoned(db)
        .of(vault.id)
        .map(({ upload_url }) => upload_url),
      ['/u/1'],
    );
    db.close();
  }));

test('an update of the program forgets files that were not sent and had left their folder, and keeps dropped ones', () =>
  withFolder((folder) => {
    const { db, files, watched, vault } = openStores(folder);
    files.record(watched, [seen('plan.dwg'), seen('sent.pdf'), seen('stays.dwg')]);
    const [plan, sent, stays] = files.settling(Infinity);
    for (const { id } of [plan!, stays!]) files.fail(id, 'Files of this type are not taken.');
    files.done(sent!.id);
    for (const { id } of [plan!, sent!]) files.detach(id);
    files.drop({ vault: vault.id, parent_id: null, target: 'My Drive' }, { ...seen('5e1d-2a'), name: 'a' });
    db.exec(`ALTER TABLE files DROP COLUMN sent_before; ALTER TABLE vaults DROP COLUMN data_folder;
      PRAGMA user_version = 3`);
    db.close();
    const updated = openStores(folder);
    assert.equal(
      updated.files
        .shown()
        .map(({ name }) => name)
        .toSorted(),
      ['a', 'sent.pdf', 'stays.dwg'],
    );
    updated.db.close();
  }));

test('neither a waiting file nor a folder with a problem blocks the files behind it', () =>
  withFolder((folder) => {
    const { db, files, folders, watched, vault } = openStores(folder);
    files.record(watched, [seen('a.pdf'), seen('b.pdf')]);
    for (const { id } of files.settling(Infinity)) files.markComplete(id);
    const first = files.next(vault.id, [])!;
    assert.is(first.name, 'a.pdf');
    assert.is(files.next(vault.id, [first.id])!.name, 'b.pdf');
    folders.trouble(watched.id, 'The folder in the vault is gone.');
    assert.is(files.next(vault.id, []), undefined);
    files.drop(
      { vault: vault.id, parent_id: null, target: 'My Drive' },
      { ...seen('dropped'), name: 'c.pdf' },
    );
    assert.is(files.next(vault.id, [])!.name, 'c.pdf');
    db.close();
  }));

test('a file that was being sent when the program was killed is requeued with its upload key, URL and offset', () =>
  withFolder(async (folder) => {
    const program = join(import.meta.dirname, '../testing/killed-queue.ts');
    const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { db, files, vault } = openStores(folder);
    const file = files.next(vault.id, [])!;
    assert.equal(
      [file.upload_key, file.upload_url, file.sent, file.begun],
      [String(said).trim(), '/u/1', 4, 1],
    );
    assert.is(files.totals().find(({ state }) => state === 'waiting')!.files, 1000);
    db.close();
  }));

test('20,000 files are queued at once, and the list for the window stays short', () =>
  withFolder((folder) => {
    const { db, files, watched, vault } = openStores(folder);
    for (let start = 0; start < 20_000; start += 500)
      files.record(
        watched,
        Array.from({ length: 500 }, (_, n) => seen(`${start + n}.pdf`)),
      );
    assert.is(files.totals()[0]!.files, 20_000);
    assert.is(files.settling(Infinity).length, 500, 'looked at in portions');
    assert.is(files.shown().length, 200);
    db.prepare(`UPDATE files SET state = 'waiting'`).run();
    assert.is(files.next(vault.id, [])!.name, '0.pdf');
    db.close();
  }));

test('what was not sent yet goes to a new target as a new upload, since the old one may be complete already', () =>
  withFolder((folder) => {
    const { db, files, watched, vault } = openStores(folder);
    files.record(watched, [seen('sent.pdf'), seen('begun.pdf')]);
    const [sent, begun] = files.settling(Infinity);
    files.arrive(sent!.id, 5);
    files.done(sent!.id);
    files.markComplete(begun!.id);
    files.begin(begun!.id);
    files.located(begun!.id, '/u/1');
    files.sent(begun!.id, 4);
    files.redirect(watched.id, vault.id);
    const [upload] = createAbandoned(db).of(vault.id);
    assert.equal([upload!.upload_url, upload!.upload_key], ['/u/1', begun!.upload_key]);
    const again = files.next(vault.id, [])!;
    assert.equal([again.upload_url, again.begun, again.sent], [null, 0, 0]);
    assert.is.not(again.upload_key, begun!.upload_key);
    assert.match(again.upload_key, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.is(files.find(sent!.id)!.upload_key, sent!.upload_key);
    files.redirect(watched.id, vault.id + 1);
    assert.is(files.next(vault.id, []), undefined, 'nothing goes to the vault of before');
    db.close();
  }));

test('files that wait follow a changed choice of their folder, and one that goes elsewhere now is a new upload', () =>
  withFolder((folder) => {
    const { db, files, watched, vault } = openStores(folder);
    const below = (sub_path: string, name: string, size = 10) => ({
      ...seen(`${sub_path}/${name}`, size),
      sub_path,
    });
    files.record(watched, [seen('bill.pdf'), below('Private', 'will.pdf'), below('GST', 'GSTR-1.pdf')]);
    const rows = files.settling(Infinity);
    for (const { id, name } of rows) {
      files.markComplete(id);
      files.begin(id);
      files.located(id, `/u/${name}`);
    }
    files.reconsider(watched.id, (path) => (path.includes('Private') ? null : ''));
    assert.equal(
      createAbandoned(db)
        .of(vault.id)
        .map(({ upload_url }) => upload_url)
        .toSorted(),
      ['/u/GSTR-1.pdf', '/u/will.pdf'],
    );
    const left = files.shown().map(({ name, sub_path, upload_url }) => [name, sub_path, upload_url]);
    assert.equal(left, [
      ['bill.pdf', '', '/u/bill.pdf'],
      ['GSTR-1.pdf', '', null],
    ]);
    const { id } = rows[2]!;
    files.arrive(id, 5);
    files.done(id);
    files.record(watched, [below('GST', 'GSTR-1.pdf', 11)]);
    assert.is(files.find(id)!.sub_path, 'GST', 'a changed file goes where its folder says by now');
    db.close();
  }));

test('an upload that was begun is noted to be cancelled whatever ends it, since the vault keeps storage for it for days', () =>
  withFolder((folder) => {
    const { db, files, vaults, watched, vault } = openStores(folder);
    const abandoned = createAbandoned(db);
    const names = ['changed.pdf', 'gone.pdf', 'removed.pdf', 'in the vault.pdf'];
    files.record(
      watched,
      names.map((name) => seen(name)),
    );
    const rows = files.settling(Infinity);
    for (const { id, name } of rows) {
      files.markComplete(id);
      files.begin(id);
      if (name !== 'removed.pdf') files.located(id, `/u/${name}`);
    }
    const [, gone, removed, arrived] = rows;
    files.arrive(arrived!.id, 5);
    files.done(arrived!.id);
    files.record(watched, [seen('changed.pdf', 11), seen('in the vault.pdf', 11)]);
    files.forget(gone!.id);
    files.skip(removed!.id);
    assert.equal(
      abandoned.of(vault.id).map(({ name, size, upload_url }) => [name, size, upload_url]),
      [
        ['changed.pdf', 10, '/u/changed.pdf'],
        ['gone.pdf', 10, '/u/gone.pdf'],
        ['removed.pdf', 10, null],
      ],
    );
    vaults.remove(vault.id);
    assert.equal(abandoned.of(vault.id), [], 'a vault that is no longer connected is not asked');
    db.close();
  }));

test('a file that is removed from the queue while it is being checked stays removed, since the check does not know of it', () =>
  withFolder((folder) => {
    const { db, files, watched, vault } = openStores(folder);
    files.record(watched, [seen('private.pdf')]);
    const [one] = files.settling(Infinity);
    files.skip(one!.id);
    files.recheck(one!.id, { size: 12, changed_at: 2000 }, null);
    files.markComplete(one!.id);
    assert.is(files.next(vault.id, []), undefined);
    assert.is(files.find(one!.id)!.size, 10, 'a later change is still noticed');
    db.close();
  }));

test('a failed file is retried as a new upload on request', () =>
  withFolder((folder) => {
    const { db, files, watched } = openStores(folder);
    files.record(watched, [seen('a.pdf')]);
    const [one] = files.settling(Infinity);
    files.begin(one!.id);
    files.fail(one!.id, 'Files of this type are not taken.');
    files.retry(one!.id);
    const again = files.find(one!.id)!;
    assert.equal([again.state, again.begun, again.problem], ['settling', 0, null]);
    assert.match(again.upload_key, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.is.not(again.upload_key, one!.upload_key);
    db.close();
  }));

test.run();
