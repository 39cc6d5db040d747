import { mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';

const ROOT = '/sys/fs/cgroup';
const NAME = 'almirah-bench';
const KINDS = ['memory', 'cpu', 'blkio'];
/** Microseconds. */
const PERIOD = 100_000;

/** What the processes of a group may take together. */
interface Limits {
  /** Bytes, with what the system keeps of their files. */
  memory: number;
  /** Processors: 1 is the time of one, or half of the time of two. */
  processors: number;
  /** Of the disk: bytes and operations in a second, each way. */
  disk: { bytes: number; operations: number };
}

export interface Group {
  /** Moves a running process into the group, with all its threads. */
  add(pid: number): Promise<void>;
  /** What this process begins while `work` has not returned belongs to the group, with all that comes of it. */
  within<T>(work: () => T): Promise<T>;
  /** MB that processes hold for themselves, without what the system keeps of their files. */
  held(): Promise<number>;
  /** Processes that were ended since there was no memory left. */
  killed(): Promise<number>;
  /** To be called once all its processes have ended. */
  remove(): Promise<void>;
}

/** Of a file's disk, as the kernel numbers it: the whole disk for one of its parts. */
async function diskOf(path: string): Promise<string> {
  const { dev } = await stat(path);
  const [major, minor] = [dev >> 8, (dev & 0xff) | ((dev >> 12) & 0xfff00)];
  const about = `/sys/dev/block/${major}:${minor}`;
  return existsSync(`${about}/partition`)
    ? (await readFile(`${about}/../dev`, 'utf8')).trim()
    : `${major}:${minor}`;
}

const number = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0);

/** Where this process belongs, of one kind of limits; '' names all of the kernel's second form. */
async function placeOf(kind: string): Promise<string> {
  const lines = (await readFile('/proc/self/cgroup', 'utf8')).trim().split('\n');
  const [, of, path] = lines.map((line) => line.split(':')).find(([, of]) => of === kind) ?? [];
  return `${ROOT}/${of ?? kind}${path ?? ''}/cgroup.procs`;
}

/** Settings of one group, by the kernel's second form of them or, where that has no say over memory, its first. */
async function open({ memory, processors, disk }: Limits, device: string, name: string) {
  const quota = `${Math.round(processors * PERIOD)}`;
  if (existsSync(`${ROOT}/cgroup.controllers`)) {
    await writeFile(`${ROOT}/cgroup.subtree_control`, '+memory +cpu +io');
    const folder = `${ROOT}/${name}`;
    const { bytes, operations: each } = disk;
    return {
      folders: [folder],
      home: [await placeOf('')],
      settings: {
        [`${folder}/memory.max`]: `${memory}`,
        [`${folder}/memory.swap.max`]: '0',
        [`${folder}/cpu.max`]: `${quota} ${PERIOD}`,
        // They get it whatever else the machine does.
        [`${folder}/cpu.weight`]: '10000',
        [`${folder}/io.max`]: `${device} rbps=${bytes} wbps=${bytes} riops=${each} wiops=${each}`,
      },
      held: async () => number(await readFile(`${folder}/memory.stat`, 'utf8'), 'anon'),
      killed: async () => number(await readFile(`${folder}/memory.events`, 'utf8'), 'oom_kill'),
    };
  }
  const [mem, cpu, io] = KINDS.map((kind) => `${ROOT}/${kind}/${name}`) as [string, string, string];
  const ways = ['read', 'write'] as const;
  return {
    folders: [mem, cpu, io],
    home: await Promise.all(KINDS.map(placeOf)),
    settings: {
      [`${mem}/memory.limit_in_bytes`]: `${memory}`,
      [`${mem}/memory.memsw.limit_in_bytes`]: `${memory}`,
      [`${cpu}/cpu.cfs_quota_us`]: quota,
      [`${cpu}/cpu.shares`]: '262144',
      ...Object.fromEntries(
        ways.flatMap((way) => [
          [`${io}/blkio.throttle.${way}_bps_device`, `${device} ${disk.bytes}`],
          [`${io}/blkio.throttle.${way}_iops_device`, `${device} ${disk.operations}`],
        ]),
      ),
    },
    held: async () => number(await readFile(`${mem}/memory.stat`, 'utf8'), 'total_rss'),
    killed: async () => number(await readFile(`${mem}/memory.oom_control`, 'utf8'), 'oom_kill'),
  };
}

/**
 * A group of processes held to these limits, which takes root and a kernel that lets root make one.
 * @param path on the disk that is meant.
 * @param name of the group; two groups at a time need two names.
 * @returns null where that cannot be.
 */
export async function limited(limits: Limits, path: string, name = NAME): Promise<Group | null> {
  if (process.getuid?.() !== 0) return null;
  const { folders, home, settings, held, killed } = await open(limits, await diskOf(path), name);
  try {
    for (const folder of folders) await mkdir(folder, { recursive: true });
    for (const [file, text] of Object.entries(settings)) await writeFile(file, text);
  } catch (error) {
    console.error(`No group with limits can be made here: ${(error as Error).message}`);
    for (const folder of folders) await rmdir(folder).catch(() => {});
    return null;
  }
  const enter = async (of: readonly string[], pid = process.pid) => {
    for (const procs of of) await writeFile(procs, `${pid}`);
  };
  const ownFiles = folders.map((folder) => `${folder}/cgroup.procs`);
  return {
    add: (pid) => enter(ownFiles, pid),
    async within(work) {
      await enter(ownFiles);
      try {
        return work();
      } finally {
        await enter(home);
      }
    },
    held: async () => (await held()) / 1024 ** 2,
    killed,
    async remove() {
      for (const folder of folders) await rmdir(folder);
    },
  };
}
