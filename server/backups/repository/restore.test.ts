import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDiskBytes } from '#storage/disk.ts';
import { openDiskPlace } from './disk-place.ts';
import { blobKey } from './layout.ts';
import type { Place } from './place.ts';
import { PlaceGone } from './place.ts';
import { fetchBlobs } from './restore.ts';

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

/** The place behind a line that breaks so many times in the middle of each object. */
function behindBadLine(place: Place, times: number): Place {
  const broken = new Map<string, number>();
  return {
    ...place,
    async *stream(key) {
      for await (const chunk of place.stream(key)) {
        const before = broken.get(key) ?? 0;
        if (before === times) {
          yield chunk;
          continue;
        }
        broken.set(key, before + 1);
        yield chunk.subarray(0, 1000);
        throw new PlaceGone('The line broke.');
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

test.run();
