import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { rejects } from '#server/testing/rejects.ts';
import { StoreAway } from '#storage/blobs.ts';
import { officeSuite } from './testing/office.ts';

const test = officeSuite('uploads while the disk of the files is away');

async function* pieces(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

test('an upload is kept while the disk of its parts is away, and completed when it is back', async ({
  services,
  blobs,
  actor,
}) => {
  const id = randomUUID();
  await services.resumable.begin(actor, { id, name: 'Audit.txt', size: 12, fields: {} });
  assert.is(await services.resumable.append(actor, id, 0, pieces('first ')), 6);
  assert.is(await services.resumable.append(actor, id, 6, pieces('second')), 12);
  // As after a restart: what was counted already has to be read again.
  services.resumable.stop();
  const { get } = blobs;
  blobs.get = () => Promise.reject(new StoreAway('blobs'));
  const { code } = await rejects(services.resumable.settle(actor, id), 503);
  assert.is(code, 'storage_away');
  blobs.get = get;
  assert.is((await services.resumable.settle(actor, id))?.item.name, 'Audit.txt');
});

test.run();
