import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memoryBlobs } from '#server/testing/world.ts';
import type { DiskReserve } from './disk-reserve.ts';
import { createDiskReserve } from './disk-reserve.ts';

const MB = 1024 * 1024;

interface Disk {
  folder: string;
  free: number;
  room: DiskReserve;
  said: string[];
  /** The size of the reserve file; null when it is deleted. */
  reserve(): Promise<number | null>;
  start(): Promise<DiskReserve>;
}

const test = suite<Disk>('the disk reserve');
test.before.each(async (disk) => {
  disk.folder = await mkdtemp(join(tmpdir(), 'almirah-room-'));
  disk.free = 500 * MB;
  disk.said = [];
  const say = (...told: unknown[]) => void disk.said.push(String(told.at(-1)));
  disk.start = async () => {
    const measure = async () => ({ free: disk.free, size: 1024 * MB });
    disk.room = createDiskReserve(disk.folder, { error: say, info: say } as never, { measure, freshMs: -1 });
    await disk.room.refresh();
    return disk.room;
  };
  disk.reserve = async () => (await stat(join(disk.folder, 'reserve')).catch(() => null))?.size ?? null;
  await disk.start();
});
test.after.each(async ({ folder, room }) => {
  await room.close();
  await rm(folder, { recursive: true });
});

const failing = (call: Promise<unknown>): Promise<string> => call.then(String, ({ name }: Error) => name);

test('the reserve file is deleted when the disk is nearly full, which is logged once', async (disk) => {
  const { room } = disk;
  assert.is(await disk.reserve(), 16 * MB);
  disk.free = 5 * MB;
  for (let n = 0; n < 3; n += 1) await room.refresh();
  assert.is(room.low, true);
  assert.is(await disk.reserve(), null);
  assert.is(disk.said.length, 1);
});

test('while the disk is nearly full, new files are refused and uploads in progress are aborted', async (disk) => {
  const inner = memoryBlobs();
  const blobs = disk.room.guard(inner);
  const coming = new PassThrough();
  const put = failing(blobs.put(coming));
  coming.write('half of a file');
  disk.free = 5 * MB;
  await disk.room.refresh();
  assert.is(await put, 'StoreFull');
  assert.is(coming.destroyed, true);
  const late = Readable.from([Buffer.from('another')]);
  assert.is(await failing(blobs.put(late)), 'StoreFull');
  assert.is(late.destroyed, true);
  for await (const { id } of inner.list()) assert.unreachable(`${id} was left`);
});

test('once there is enough free space, the reserve is created again and files are accepted without a restart', async (disk) => {
  const blobs = disk.room.guard(memoryBlobs());
  disk.free = 5 * MB;
  await disk.room.refresh();
  disk.free = 20 * MB;
  await disk.room.refresh();
  assert.is(disk.room.low, true, 'the reserve itself is not the room');
  disk.free = 100 * MB;
  assert.is((await blobs.put(Readable.from([Buffer.from('abc')]))).size, 3);
  assert.is(disk.room.low, false);
  assert.is(await disk.reserve(), 16 * MB);
  assert.is(disk.said.length, 2);
});

test('a start on a nearly full disk creates no reserve and accepts no files', async (disk) => {
  await disk.room.close();
  disk.free = 5 * MB;
  assert.is((await disk.start()).low, true);
  assert.is(await disk.reserve(), null);
});

test('when the database finds the disk full although free space is reported, as under a quota, no files are accepted', async (disk) => {
  await disk.room.freeForDatabase();
  assert.is(disk.room.low, true);
  assert.is(await disk.reserve(), null);
  await disk.room.refresh();
  assert.is(disk.room.low, true, 'and not only until the next look');
});

test.run();
