import type { Actor } from '#server/actor.ts';
import { printDoneAndWait, printWrites } from '../../../testing/kill-at-line.ts';
import { openOnDisk } from '../../../testing/on-disk.ts';

// A process for tests that gets killed: performs one operation on an item, and reports each write.
const [dataDir = '', what, id, actor] = process.argv.slice(2);
const ids = [Number(id)];
const who = JSON.parse(actor ?? '') as Actor;

const { db, services } = await openOnDisk(dataDir);
printWrites(db);
if (what === 'delete') await services.documents.remove(who, ids);
if (what === 'restore') await services.trash.restore(who, { ids });
if (what === 'delete forever') await services.trash.remove(who, ids);
printDoneAndWait();
