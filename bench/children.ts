import { readdir, readFile } from 'node:fs/promises';

/** Of the processes that a process has begun and that are there still; of this one if no other is named. */
export async function ofChildren(
  pid: number | 'self' = 'self',
): Promise<{ memory: number; processor: number }> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  );
  const pids = lists.join(' ').split(' ').filter(Boolean);
  const each = await Promise.all(
    pids.map(async (one) => {
      const [status, stat] = await Promise.all(
        ['status', 'stat'].map((file) => readFile(`/proc/${one}/${file}`, 'utf8').catch(() => '')),
      );
      const fields = (stat!.split(') ')[1] ?? '').split(' ');
      return {
        memory: Number(/VmHWM:\s+(\d+)/.exec(status!)?.[1] ?? 0) / 1024,
        processor: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100,
      };
    }),
  );
  return {
    /** The most that one of them has held, in MB. */
    memory: Math.max(0, ...each.map(({ memory }) => memory)),
    /** Seconds that they have used together, user and system. */
    processor: each.reduce((sum, { processor }) => sum + processor, 0),
  };
}
