import type { BlobStore } from '#storage/blobs.ts';
import { printLine } from '../../testing/kill-at-line.ts';
import { openOnDisk } from '../../testing/on-disk.ts';

// A process that tests kill: it opens the data folder, starts the waiting jobs, and reports each step.
const [dataDir = ''] = process.argv.slice(2);

const reporting = (blobs: BlobStore): BlobStore => ({
  ...blobs,
  async put(source) {
    printLine('put');
    const stored = await blobs.put(source);
    printLine('stored');
    return stored;
  },
});

const { db, services } = await openOnDisk(dataDir, reporting);
db.on('query', ({ sql }: { sql: string }) => {
  if (/^INSERT INTO item_rows/i.test(sql)) printLine('row');
  if (/^insert into .storage_reservations\b/i.test(sql)) printLine('reserved');
  if (/^update .jobs\b.*\bfinished_at\b/i.test(sql)) printLine('settled');
  if (/^COMMIT/i.test(sql)) printLine('commit');
});
await services.jobs.start(services.records.recover);
printLine('started');
setTimeout(() => {}, 60_000);
