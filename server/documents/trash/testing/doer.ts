import type { Actor } from '#server/actor.ts';
import { openOnDisk } from '../../../archive/testing/office.ts';

// A process to be killed: opens the data folder, does what it is told to with one item, and says each thing that it writes.
const [dataDir = '', what, id, actor] = process.argv.slice(2);
const ids = [Number(id)];
const who = JSON.parse(actor ?? '') as Actor;

const { db, services } = await openOnDisk(dataDir);
db.on('query', ({ sql }: { sql: string }) => {
  if (/^(?:INSERT|UPDATE|DELETE)/i.test(sql)) process.stdout.write('write\n');
  if (/^COMMIT/i.test(sql)) process.stdout.write('commit\n');
});
if (what === 'delete') await services.documents.remove(who, ids);
if (what === 'restore') await services.trash.restore(who, { ids });
if (what === 'delete forever') await services.trash.remove(who, ids);
process.stdout.write('done\n');
setTimeout(() => {}, 60_000);
