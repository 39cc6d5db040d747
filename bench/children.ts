import { readdir, readFile } from 'node:fs/promises';

/** Memory and processor time of the running child processes of a process; of this process by default. */
export async function childUsage(
  pid: number | 'self' = 'self',
): Promise<{ memory: number; processor: number }> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  );
  const pids = lists.join(' ').split(' ').filter(Boolean);
  const each = await Promise.all(
    pids.map(async (child) => {
      const [status, stat] = await Promise.all(
        ['status', 'stat'].map((file) => readFile(`/proc/${child}/${file}`, 'utf8').catch(() => '')),
      );
      const fields = (stat!.split(') ')[1] ?? '').split(' ');
      return {
        memory: Number(/VmHWM:\s+(\d+)/.exec(status!)?.[1] ?? 0) / 1024,
        processor: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100,
      };
    }),
  );
  return {
    /** The peak memory of the largest of them, in MB. */
    memory: Math.max(0, ...each.map(({ memory }) => memory)),
    /** Processor seconds of all of them, user and system. */
    processor: each.reduce((sum, { processor }) => sum + processor, 0),
  };
}
