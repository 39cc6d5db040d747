import { readFile, readdir } from 'node:fs/promises';

interface Process {
  parent: number;
  /** CPU time of the process and of its terminated children. */
  ticks: number;
}

async function processes(): Promise<Map<number, Process>> {
  const all = new Map<number, Process>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The time of a process that has just ended is included in its parent's.
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null);
    // The program name in parentheses may contain any character.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (!fields) continue;
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    all.set(Number(name), { parent: Number(fields[1]), ticks });
  }
  return all;
}

const TICKS_A_SECOND = 100;

/** CPU seconds that a process and its descendants have used; 0 where the system does not say. */
export async function processorTime(pid: number): Promise<number> {
  const all = await processes().catch(() => new Map<number, Process>());
  const belongs = (id: number): boolean => {
    for (let ancestor = id; ancestor > 1; ancestor = all.get(ancestor)?.parent ?? 0)
      if (ancestor === pid) return true;
    return false;
  };
  let ticks = 0;
  for (const [id, process] of all) if (belongs(id)) ticks += process.ticks;
  return ticks / TICKS_A_SECOND;
}
