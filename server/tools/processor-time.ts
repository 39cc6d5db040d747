import { readFile, readdir } from 'node:fs/promises';

interface Process {
  parent: number;
  /** Of it, and of those that it started and saw end. */
  ticks: number;
}

async function processes(): Promise<Map<number, Process>> {
  const all = new Map<number, Process>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // One that ended meanwhile is counted by its parent.
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null);
    // The name of the program, in brackets, may hold anything.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (!fields) continue;
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    all.set(Number(name), { parent: Number(fields[1]), ticks });
  }
  return all;
}

const TICKS_A_SECOND = 100;

/** Seconds of processor that a process and all that came of it have taken so far; 0 where the system does not say. */
export async function processorTime(pid: number): Promise<number> {
  const all = await processes().catch(() => new Map<number, Process>());
  const belongs = (id: number): boolean => {
    for (let at = id; at > 1; at = all.get(at)?.parent ?? 0) if (at === pid) return true;
    return false;
  };
  let ticks = 0;
  for (const [id, one] of all) if (belongs(id)) ticks += one.ticks;
  return ticks / TICKS_A_SECOND;
}
