import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDiskBytes } from '#storage/disk.ts';
import { BlobList } from './blob-list.ts';
import { storeDatabase } from './database-pieces.ts';
import { openDiskPlace } from './disk-place.ts';
import { repositoryKeys } from './keys.ts';
import { blobKey } from './layout.ts';
import { readSnapshots, writeSnapshot } from './manifest.ts';
import type { Place } from './place.ts';
import { PlaceGone } from './place.ts';
import { fetchBlobs, restoreDatabase, verifiedBlobList } from './restore.ts';

interface Restoring {
  scratch: string;
  place: Place;
  blobs: { id: string; bytes: number; sha256: string }[];
}
const KEY = 'a'.repeat(16);
const test = suite<Restoring>('bringing back the files of a backup');
test.before.each(async (restoring) => {
  const scratch = await mkdtemp(join(tmpdir(), 'almirah-restoring-'));
  await mkdir(join(scratch, 'place'));
  const place = await openDiskPlace(join(scratch, 'place'));
  const blobs = [];
  for (let n = 0; n < 3; n += 1) {
    const [id, content] = [randomBytes(16).toString('hex'), randomBytes(5000)];
    await place.write(blobKey(KEY, id), content);
    blobs.push({ id, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
  }
  await place.settle();
  Object.assign(restoring, { scratch, place, blobs });
});
test.after.each(({ scratch }) => rm(scratch, { recursive: true }));

/** The place behind a line that breaks so many times at each object. */
function behindBadLine(place: Place, times: number): Place {
  const broken = new Map<string, number>();
  function isToBreak(key: string): boolean {
    const before = broken.get(key) ?? 0;
    broken.set(key, before + 1);
    return before < times;
  }
  return {
    ...place,
    async read(key) {
      if (isToBreak(key)) throw new PlaceGone('The line broke.');
      return place.read(key);
    },
    async *stream(key) {
      const breaks = isToBreak(key);
      for await (const chunk of place.stream(key)) {
        yield breaks ? chunk.subarray(0, 1000) : chunk;
        if (breaks) throw new PlaceGone('The line broke.');
      }
    },
  };
}

test('a connection that breaks is tried again, since a restore of hours would else begin anew', async ({
  scratch,
  place,
  blobs,
}) => {
  const to = await openDiskBytes({ root: join(scratch, 'blobs') });
  const fetched = await fetchBlobs(behindBadLine(place, 2), KEY, blobs, to, [1, 1]);
  assert.equal(fetched, { bytes: 15_000, faults: [] });
});

test('a connection that breaks in the pieces of the database or in the list of files is tried again too', async ({
  scratch,
  place,
}) => {
  const [from, to] = [join(scratch, 'from'), join(scratch, 'to')];
  await writeFile(from, randomBytes(600_000));
  const keys = repositoryKeys(KEY, randomBytes(32));
  const database = await storeDatabase(
    { place, keys, signal: new AbortController().signal },
    from,
    new Set(),
  );
  const snapshot = await writeSnapshot(place, keys, {
    vault: 'a vault',
    made_at: '2026-11-22T20:00:00.000Z',
    migration: '',
    database,
    files: { files: 0, versions: 0 },
    left_out: [],
    list: BlobList.of([]),
  });
  const away = behindBadLine(place, 2);
  assert.is((await verifiedBlobList(away, keys, snapshot, [1, 1])).count, 0);
  await restoreDatabase(away, keys, snapshot, to, [1, 1]);
  assert.ok((await readFile(to)).equals(await readFile(from)));
  const said = await restoreDatabase(behindBadLine(place, 9), keys, snapshot, `${to}.new`, [1, 1]).then(
    () => '',
    (error: Error) => error.message,
  );
  assert.is(said, 'The line broke.', 'not that a piece is damaged');
});

test('a place that stays away ends the restore with its own message, and leaves no half file', async ({
  scratch,
  place,
  blobs,
}) => {
  const root = join(scratch, 'blobs');
  const to = await openDiskBytes({ root });
  const said = await fetchBlobs(behindBadLine(place, 9), KEY, blobs, to, [1, 1]).then(
    () => '',
    (error: Error) => error.message,
  );
  assert.is(said, 'The line broke.');
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  assert.equal(
    files.map(({ name }) => name).filter((name) => blobs.some(({ id }) => id.endsWith(name))),
    [],
  );
});

test('while a share is unmounted the place is away, and nothing of it is reported as missing', async ({
  scratch,
  place,
  blobs,
}) => {
  const root = join(scratch, 'place');
  const to = await openDiskBytes({ root: join(scratch, 'blobs') });
  await rename(root, `${root}.away`);
  await mkdir(root);
  const error = await fetchBlobs(place, KEY, blobs, to, []).catch((thrown: unknown) => thrown);
  assert.instance(error, PlaceGone);
  assert.instance(await place.read('snapshots/a/manifest').catch((thrown: unknown) => thrown), PlaceGone);
  assert.instance(await readSnapshots(place).catch((thrown: unknown) => thrown), PlaceGone);
  await rmdir(root);
  await rename(`${root}.away`, root);
  assert.equal(await fetchBlobs(place, KEY, blobs, to, []), { bytes: 15_000, faults: [] });
});

test.run();
