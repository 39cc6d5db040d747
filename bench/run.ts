import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { archives } from './archives.ts';
import { backup } from './backup.ts';
import { bucket } from './bucket.ts';
import { Client } from './client.ts';
import { dav } from './dav.ts';
import { filing } from './filing.ts';
import { drive } from './drive.ts';
import { events } from './events.ts';
import { firstView } from './first-view.ts';
import type { Figure } from './measure.ts';
import { folders } from './folders.ts';
import { largeFirm } from './large-firm.ts';
import { table } from './measure.ts';
import { compareDatabases } from './postgres.ts';
import { outages } from './outages.ts';
import { byProcesses } from './processes.ts';
import { root, scratchFolder, startServer } from './server.ts';
import { readingLoad } from './reading-beside.ts';
import { readingFiles } from './reading-files.ts';
import { sandboxCost } from './readers.ts';
import { textSearch } from './reading-search.ts';
import { recognising } from './recognise.ts';
import { landing } from './lighthouse.ts';
import { signInTimes } from './sign-in.ts';
import { screens } from './screens.ts';
import { search } from './search.ts';
import { lists } from './lists.ts';
import { smallFiles } from './small-files.ts';
import { start } from './start.ts';
import { team } from './team.ts';
import { recognisingUnseen } from './unseen.ts';
import { tls } from './tls.ts';
import { transfers } from './transfers.ts';
import { trash } from './trash.ts';
import { uploader } from './uploader.ts';
import { weakBox } from './weak-box.ts';

// `npm run bench [name …]`: each part on a server and a folder of its own. BENCH_DIR names the disk to measure.
// `BENCH_FIRMS=50 BENCH_MANY=1000000 BENCH_KEEP=folder npm run bench screens` is the full run of the screens; the folder,
// about 4 GB, keeps its firms for the next one.
async function onServer(
  measure: (server: Awaited<ReturnType<typeof startServer>>, client: Client) => Promise<Figure[]>,
) {
  // Without Trash, so that deleted files free the quota for the next.
  const server = await startServer(await scratchFolder(), { TRASH_DAYS: '0' });
  try {
    return await measure(server, await Client.register(server.url));
  } finally {
    await server.remove();
  }
}

const PARTS: Record<string, () => Promise<Figure[]>> = {
  start,
  'small-files': () => onServer(smallFiles),
  lists,
  archives: () => onServer(archives),
  transfers: () => onServer(transfers),
  tls,
  dav,
  uploader: () => onServer(uploader),
  folders: () => onServer(folders),
  screens,
  search,
  readers: sandboxCost,
  'reading-files': readingFiles,
  'reading-beside': readingLoad,
  'reading-search': textSearch,
  // `--unseen`: papers whose generator was made by somebody who had not read a rule.
  // `--third`: those of a third one, written when the rules stood.
  recognise: process.argv.includes('--third')
    ? () => recognisingUnseen(true)
    : process.argv.includes('--unseen')
      ? () => recognisingUnseen()
      : recognising,
  filing,
  team,
  events,
  drive,
  trash,
  backup,
  bucket,
  postgres: compareDatabases,
  processes: byProcesses,
  outages,
  'first-view': firstView,
  'sign-in': () => onServer(signInTimes),
  lighthouse: landing,
  'weak-box': weakBox,
  ...(process.argv.includes('large-firm') && { 'large-firm': largeFirm }),
};

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(PARTS)) {
  // `reading` selects all parts whose name starts with it.
  if (wanted.length > 0 && !wanted.some((prefix) => name === prefix || name.startsWith(`${prefix}-`)))
    continue;
  console.error(`measuring ${name} …`);
  figures.push(...(await measure()));
}

const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.version}`;
console.log(`${machine}\n\n${table(figures)}`);
await mkdir(join(root, 'bench/results'), { recursive: true });
const file = join(root, 'bench/results/latest.json');
await writeFile(file, `${JSON.stringify({ machine, figures }, null, 2)}\n`);
