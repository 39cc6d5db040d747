import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import yauzl from 'yauzl';
import { ZipFile } from 'yazl';
import { listed } from '#storage/conformance.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { createMemoryBytes } from '#storage/memory.ts';
import { createSealedBlobs } from '#storage/sealed.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { readDirectory } from '../read/directory.ts';
import { ArchiveRefused } from '../read/refusal.ts';
import { bufferSource } from '../read/source.ts';
import { hostileCases } from '../read/testing/hostile.ts';
import { soundCases } from '../read/testing/sound.ts';
import { unpackAll } from '../read/testing/tree.ts';

const test = suite<{ blobs: BlobStore }>('unpacking');
test.before.each((world) => {
  world.blobs = createSealedBlobs(createMemoryBytes(), deriveMasterKey(randomBytes(32)));
});

for (const { name, make, password, becomes, skipped = [] } of soundCases) {
  test(`sound: ${name}`, async ({ blobs }) => {
    const { tree, plan } = await unpackAll(blobs, make(), password);
    assert.equal(tree, becomes);
    assert.equal(
      plan.skipped.map(({ path }) => path),
      skipped,
    );
    assert.equal(await listed(blobs), []);
  });
}

for (const { name, make, password, becomes, says } of hostileCases) {
  test(`hostile: ${name}`, async ({ blobs }) => {
    const error = await unpackAll(blobs, make(), password).then(
      ({ tree }) => assert.unreachable(`it became ${JSON.stringify(tree).slice(0, 300)}`),
      (error: unknown) => error,
    );
    assert.instance(error, ArchiveRefused, String((error as Error).stack));
    assert.is((error as ArchiveRefused).code, becomes, (error as Error).message);
    assert.match((error as Error).message, says!);
    assert.equal(await listed(blobs), [], 'nothing is left behind');
  });
}

test('reads every sound archive as yauzl does, wherever that reads it too', async () => {
  let compared = 0;
  for (const { name, make } of soundCases) {
    const archive = make();
    const options = { decodeStrings: false, validateEntrySizes: false };
    const theirs = await yauzl
      .fromBufferPromise(archive, options)
      .then(async (zip) => {
        const found: string[] = [];
        for await (const entry of zip.eachEntry()) {
          const { crc32, compressedSize, uncompressedSize, relativeOffsetOfLocalHeader: offset } = entry;
          found.push([offset, crc32, compressedSize, uncompressedSize].join(' '));
        }
        return found;
      })
      .catch(() => null);
    if (!theirs || name.includes('in front')) continue;
    compared += 1;
    const ours = (await readDirectory(bufferSource(archive))).map(({ offset, crc, compressedSize, size }) =>
      [offset, crc, compressedSize, size].join(' '),
    );
    assert.equal(ours, theirs, name);
  }
  assert.ok(compared > 25);
});

test('unpacks what yazl writes: deflated, stored, streamed, empty folders, Zip64, a comment', async ({
  blobs,
}) => {
  for (const forceZip64Format of [false, true]) {
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from('tax '.repeat(500)), 'आयकर/विवरण.txt', { forceZip64Format });
    zip.addBuffer(Buffer.from('stored'), 'stored.txt', { compress: false, forceZip64Format });
    zip.addReadStream(Readable.from([Buffer.from('streamed')]), 'streamed.txt', { forceZip64Format });
    zip.addEmptyDirectory('खाली');
    zip.end({ forceZip64Format, comment: 'made in the office' });
    const { tree } = await unpackAll(blobs, await buffer(zip.outputStream as Readable));
    assert.equal(tree, {
      'आयकर/': '',
      'आयकर/विवरण.txt': 'tax '.repeat(500),
      'stored.txt': 'stored',
      'streamed.txt': 'streamed',
      'खाली/': '',
    });
  }
});

test.run();
