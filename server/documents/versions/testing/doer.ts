import { Readable } from 'node:stream';
import type { Actor } from '#server/actor.ts';
import { printLine, printDoneAndWait, printWrites } from '../../../testing/kill-at-line.ts';
import { openOnDisk } from '../../../testing/on-disk.ts';

// A process for a test to kill: opens the data folder, changes one file as the arguments say, and prints each write.
const [dataDir = '', what, id, version, actor] = process.argv.slice(2);
const ref = { item: Number(id), version: Number(version) };
const who = JSON.parse(actor ?? '') as Actor;

const { db, services, blobs } = await openOnDisk(dataDir);
printWrites(db);
if (what === 'replace') {
  const blob = await blobs.put(Readable.from([Buffer.from('third')]));
  printLine('stored');
  const file = { name: 'a.txt', parent_id: null, client_id: null, blob, conflict: 'replace' as const };
  await services.documents.addFile(who, file);
}
if (what === 'restore') await services.versions.restore(who, ref);
if (what === 'delete') await services.versions.remove(who, ref);
printDoneAndWait();
