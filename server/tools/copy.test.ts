import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { BlobId } from '#storage/blobs.ts';
import type { ByteStore } from '#storage/bytes.ts';
import { pieces, readObject } from '#storage/conformance.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { createMemoryBytes } from '#storage/memory.ts';
import { createSealedBlobs } from '#storage/sealed.ts';
import { copyObjects } from './copy.ts';

test('when copying fails because the target is full, all workers have stopped, so that the database can be closed', async () => {
  const [from, memory] = [createMemoryBytes(), createMemoryBytes()];
  const ids = Array.from({ length: 40 }, () => randomUUID().replaceAll('-', '') as BlobId);
  for (const id of ids) await from.create(id, 4).commit(Buffer.from('head'), [Buffer.from('content')]);
  let [commits, asked, over] = [0, 0, false];
  const late: string[] = [];
  const to: ByteStore = {
    ...memory,
    create: (id, headBytes) => ({
      ...memory.create(id, headBytes),
      async commit() {
        if ((commits += 1) === 2) throw new Error('There is no space left.');
        for (let n = 0; n < 20; n += 1) await turn();
        if (over) late.push(id);
      },
    }),
  };
  async function* listed() {
    for (const id of ids) {
      asked += 1;
      if (over) late.push(id);
      await turn();
      yield id;
    }
  }
  const failed = await copyObjects(from, to, listed()).catch((error: Error) => error);
  over = true;
  assert.is(failed instanceof Error && failed.message, 'There is no space left.');
  for (let n = 0; n < 100; n += 1) await turn();
  assert.equal(late, []);
  assert.ok(asked < 20, 'the rest was not asked for');
});

test('a copy that is not right when it is read back is made anew the next time, and not taken for a good one of before', async () => {
  const [from, memory] = [createMemoryBytes(), createMemoryBytes()];
  const master = deriveMasterKey(randomBytes(32));
  const { id } = await createSealedBlobs(from, master).put(pieces(randomBytes(3000)));
  const broken: ByteStore = {
    ...memory,
    create(id_, headBytes) {
      const writer = memory.create(id_, headBytes);
      const commit: typeof writer.commit = (head, tail) => {
        const bytes = Buffer.concat(tail);
        bytes[bytes.length - 1]! ^= 1;
        return writer.commit(head, [bytes]);
      };
      return { ...writer, commit };
    },
  };
  const copyTo = async (to: ByteStore) => {
    const { faults } = await copyObjects(from, to, one(), { master, readData: false, readBack: true });
    return faults.map((fault) => fault.id);
  };
  async function* one() {
    yield id;
  }
  assert.equal(await copyTo(broken), [id]);
  assert.equal(await copyTo(memory), []);
  assert.ok((await readObject(memory, id)).equals(await readObject(from, id)));
});

test.run();
