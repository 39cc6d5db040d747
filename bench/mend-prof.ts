import { existsSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { openServices } from './full-database.ts';
import { fillIt } from './search.ts';
const folder = '/tmp/mend-bench';
mkdirSync(folder, { recursive: true });
if (!existsSync(folder + '/actor.json')) writeFileSync(folder + '/actor.json', JSON.stringify(await fillIt(folder)));
const actor = JSON.parse(readFileSync(folder + '/actor.json', 'utf8'));
const { db, services, close } = await openServices(folder);
const times: [string, number][] = [];
const began = new Map<string, number>();
if (process.env.SQL) { db.on('query', (q: any) => began.set(q.__knexQueryUid, performance.now())); db.on('query-response', (v: any, q: any) => times.push([q.sql.replace(/\s+/g, ' ').slice(0, 150) + ' → ' + (Array.isArray(v) ? v.length : ''), performance.now() - began.get(q.__knexQueryUid)!])); }
const [place, ...queries] = process.argv.slice(2);
for (const query of queries) {
  const ask = () => (place === 'top' ? services.search.find(actor, query) : services.documents.files(actor, { search: query }));
  const cpu: number[] = []; let answer: any;
  for (let n = 0; n < Number(process.env.N ?? 10); n++) { times.length = 0; const b = process.cpuUsage(); answer = await ask(); const { user, system } = process.cpuUsage(b); cpu.push((user + system) / 1000); }
  cpu.sort((a, b) => a - b);
  console.log(`${query}: median ${cpu[cpu.length >> 1]!.toFixed(1)} min ${cpu[0]!.toFixed(1)} total ${answer.total} more ${answer.more ?? answer.next_cursor !== null} first ${answer.items[0]?.name}`);
  if (process.env.SQL) for (const [s, t] of times) console.log('   ', t.toFixed(1), s);
}
await close();
