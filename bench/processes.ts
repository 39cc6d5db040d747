import { ASHA } from '../server/testing/http-world.ts';
import { CONTENT_TYPE, filePart, multipart } from '../server/testing/multipart.ts';
import { startCluster } from '../server/testing/cluster/cluster.ts';
import { Visitor } from '../server/testing/visitor.ts';
import { hasPostgres, startPostgres } from '../server/tools/postgres/server.ts';
import type { ServerProcess } from '../server/testing/cluster/cluster.ts';
import { limited } from './cgroup.ts';
import type { Group } from './cgroup.ts';
import type { Figure } from './measure.ts';
import { fixed } from './measure.ts';

const MOST = 3;
const FIRMS = 6;
/**
 * Processors that each process gets. One process, PostgreSQL and the client use two cores up between them, so that a second process
 * cannot add anything; with a share for each there is as much left for the second as there was for the first. 0: no limit.
 */
const SHARE = Number(process.env.BENCH_PROCESSORS ?? 0.3);
const GB = 1024 ** 3;
/** The durations of the measurement and of the warm-up before it, in ms. */
const [MEASURED, BEFORE] = [8000, 2000];

/** A firm with one file, whose owner asks any of the processes. */
async function firmOf(bases: readonly string[], n: number): Promise<{ visitors: Visitor[]; id: number }> {
  const owner = await new Visitor(bases[0]!).arrive();
  await owner.post('/api/auth/register', { ...ASHA, email: `owner${n}@rao.in`, phone: `98765432${10 + n}` });
  const sent = await owner.call('POST', '/api/documents/upload', {
    body: multipart([filePart('Ledger.txt', 'one')]),
    headers: { 'content-type': CONTENT_TYPE },
  });
  if (sent.status !== 201) throw new Error(`The bench has no file: ${sent.text}`);
  const visitors = bases.map((base) => {
    const same = new Visitor(base);
    for (const [name, value] of owner.jar) same.jar.set(name, value);
    return same;
  });
  return { visitors, id: sent.json.data.id };
}

/** How many a second are answered, with each firm asking the processes in turn. */
async function rate(
  firms: readonly { visitors: Visitor[]; id: number }[],
  ask: (visitor: Visitor, id: number, n: number) => Promise<{ status: number }>,
): Promise<number> {
  let answered = 0;
  const began = performance.now();
  const over = () => performance.now() - began;
  await Promise.all(
    firms.map(async ({ visitors, id }, firm) => {
      for (let n = firm; over() < BEFORE + MEASURED; n += 1) {
        const { status } = await ask(visitors[n % visitors.length]!, id, n);
        if (status !== 200) throw new Error(`The bench was answered ${status}.`);
        if (over() >= BEFORE) answered += 1;
      }
    }),
  );
  return (answered * 1000) / MEASURED;
}

/** Gives each process its share. Without root there is no limit. */
async function limit(servers: readonly ServerProcess[]): Promise<Group[]> {
  if (SHARE === 0) return [];
  const limits = { memory: 4 * GB, processors: SHARE, disk: { bytes: 10 * GB, operations: 1_000_000 } };
  const groups: Group[] = [];
  for (const [n, server] of servers.entries()) {
    const group = await limited(limits, server.dataDir, `almirah-bench-${n}`);
    if (!group) break;
    await group.add(server.pid()!);
    groups.push(group);
  }
  return groups;
}

/** Measures the throughput of one, two and three processes on one PostgreSQL: renames of files of several firms, and lists. */
export async function byProcesses(): Promise<Figure[]> {
  if (!hasPostgres()) return [{ name: 'several processes', value: 'skipped, no PostgreSQL here' }];
  const server = await startPostgres();
  const given = process.env.DATABASE_URL;
  process.env.DATABASE_URL = server.address;
  const [writes, reads]: [number[], number[]] = [[], []];
  let isLimited = false;
  try {
    for (let count = 1; count <= MOST; count += 1) {
      const vault = await startCluster(count);
      let groups: Group[] = [];
      try {
        groups = await limit(vault.servers);
        isLimited = groups.length > 0;
        const bases = vault.servers.map(({ base }) => base);
        const firms = [];
        for (let n = 0; n < FIRMS; n += 1) firms.push(await firmOf(bases, n));
        writes.push(
          await rate(firms, (visitor, id, n) =>
            visitor.call('PATCH', `/api/documents/${id}/rename`, { body: { name: `Ledger ${n}.txt` } }),
          ),
        );
        reads.push(await rate(firms, (visitor) => visitor.get('/api/documents')));
      } finally {
        await vault.stop();
        for (const group of groups) await group.remove();
      }
    }
  } finally {
    if (given === undefined) delete process.env.DATABASE_URL;
    else process.env.DATABASE_URL = given;
    server.stop();
  }
  const line = (rates: readonly number[]) => rates.map((count) => fixed(count)).join(', ');
  const each = isLimited ? `, each with ${SHARE} of a core` : '';
  return [
    { name: `renames a second by 1, 2, 3 processes${each}`, value: line(writes) },
    {
      name: `lists a second by 1, 2, 3 processes${each}`,
      value: line(reads),
      target: { text: 'two ≥ 1.5 × one', reached: reads[1]! >= 1.5 * reads[0]! },
    },
  ];
}
