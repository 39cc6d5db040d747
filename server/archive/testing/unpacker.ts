import type { BlobStore } from '#storage/blobs.ts';
import { printLine } from '../../testing/kill-at-line.ts';
import { openOnDisk } from '../../testing/on-disk.ts';

// A process to be killed: opens the data folder, begins the jobs that wait there, and says each step that it reaches.
const [dataDir = ''] = process.argv.slice(2);

const telling = (blobs: BlobStore): BlobStore => ({
  ...blobs,
  async put(source) {
    printLine('put');
    const stored = await blobs.put(source);
    printLine('stored');
    return stored;
  },
});

const { db, services } = await openOnDisk(dataDir, telling);
db.on('query', ({ sql }: { sql: string }) => {
  if (/^INSERT INTO item_rows/i.test(sql)) printLine('row');
  if (/^insert into .storage_reservations\b/i.test(sql)) printLine('reserved');
  if (/^update .jobs\b.*\bfinished_at\b/i.test(sql)) printLine('settled');
  if (/^COMMIT/i.test(sql)) printLine('commit');
});
await services.jobs.start(services.records.recover);
printLine('started');
setTimeout(() => {}, 60_000);
