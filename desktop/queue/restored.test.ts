import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openStores, withFolder } from '#desktop/testing/folder.ts';
import { createRestored } from './restored.ts';

const seen = (name: string) => ({ path: join('/scans', name), sub_path: '', size: 10, changed_at: 1000 });

/** A queue with a file that was sent, one that was taken out of the queue, and one that was sent and has left its folder. */
function openSent(folder: string) {
  const stores = openStores(folder);
  const { db, files, watched, vault } = stores;
  files.record(watched, [seen('sent.pdf'), seen('skipped.pdf'), seen('gone.pdf')]);
  const [sent, skipped, gone] = files.settling(Infinity);
  for (const [index, { id }] of [sent!, gone!].entries()) {
    files.begin(id);
    files.located(id, `/u/${index}`);
    files.arrive(id, 5 + index);
    files.done(id);
  }
  files.skip(skipped!.id);
  files.detach(gone!.id);
  const restored = createRestored(db);
  const queued = () => files.settling(Infinity).map(({ name }) => name);
  return { ...stores, restored, vault: vault.id, sent: sent!, queued };
}

test('after the vault was restored from a backup, files that lie here still are queued again, since it may not hold them any more', () =>
  withFolder((folder) => {
    const { db, files, restored, vault, sent, queued } = openSent(folder);
    assert.is(restored.note(vault, 'a'), 0, 'nothing was known before');
    assert.is(restored.note(vault, 'a'), 0);
    assert.equal(queued(), []);
    assert.is(files.find(sent.id)!.item_id, 5);

    assert.is(restored.note(vault, 'b'), 1);
    assert.equal(queued(), ['sent.pdf'], 'what the user removed stays removed');
    const again = files.find(sent.id)!;
    assert.equal([again.item_id, again.upload_url, again.sent_before], [null, null, 2]);
    assert.is(again.upload_key, sent.upload_key, 'a vault that holds it knows its key');
    assert.is(db.prepare('SELECT 1 FROM files WHERE item_id IS NOT NULL').get(), undefined);
    assert.is(restored.note(vault, 'b'), 0, 'once');
    files.arrive(sent.id, null);
    assert.is(files.find(sent.id)!.sent_before, 0);
    db.close();
  }));

test('a file that has arrived, but was not moved or deleted here yet, is queued again too, since the restored vault may not hold it', () =>
  withFolder((folder) => {
    const { db, files, watched, restored, vault, queued } = openSent(folder);
    restored.note(vault, 'a');
    files.record(watched, [seen('late.pdf')]);
    const late = files.settling(Infinity).find(({ name }) => name === 'late.pdf')!;
    files.begin(late.id);
    files.arrive(late.id, null);
    assert.is(restored.note(vault, 'b'), 2);
    assert.equal(queued().toSorted(), ['late.pdf', 'sent.pdf']);
    assert.is(files.find(late.id)!.sent_before, 1, 'it became no document of its own');
    db.close();
  }));

test('a vault that does not say its data folder changes nothing, as an older one', () =>
  withFolder((folder) => {
    const { db, files, restored, vault, sent, queued } = openSent(folder);
    for (const said of [undefined, null, 'a', undefined, null]) assert.is(restored.note(vault, said), 0);
    assert.equal(queued(), []);
    assert.is(files.find(sent.id)!.item_id, 5);
    assert.is(restored.note(vault, 'b'), 1, 'what was known stays known');
    db.close();
  }));

test.run();
