import type { SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Confinement } from './contract.ts';
import { CONFINEMENTS } from './contract.ts';
import { compiledFor } from './compiled.ts';
import { systemCallFilter } from './filter.ts';

const root = join(import.meta.dirname, '../..');
/** All of the program that such a process may read, and nothing that the program keeps. */
const PROGRAM = ['package.json', 'node_modules', 'server', 'storage', 'site/messages'].map((path) =>
  join(root, path),
);
/** Libraries of the machine, and what finds them; no programs. */
const LIBRARIES = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/etc/ld.so.cache'];
const LINKED = ['/lib', '/lib64'];
/** What the networks that read scans ask about the processor. */
const ABOUT_PROCESSOR = ['/proc/cpuinfo', '/sys/devices/system/cpu'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/urandom', '/dev/random'];

/** File descriptors of a container, after those of every process; see `answer-orders.ts`. */
const [INFO, FILTER] = [4, 5];
const MIB = 1024 * 1024;
/**
 * Beyond the memory that is looked at, in bytes: stacks of threads, and what is asked for without being used. On a busy machine
 * a process of 350 MB held 2 GB so: what pictures gave up was not yet given back, and with less room the next one failed.
 */
const ROOM = 8 * 1024 * MIB;

export interface Confined {
  command: string;
  args: string[];
  /** What is sent by `stdio[5]`, where that is one of them. */
  filter: Buffer | null;
  stdio: SpawnOptions['stdio'];
}

/** What a process may take. */
export interface Room {
  /** Of JavaScript's own values, in MiB. */
  heapMb: number;
  /** Resident, in bytes. */
  bytes: number;
}

const both = (flag: string, path: string): string[] => [flag, path, path];

/** Limits of the kernel that hold in every confinement: nothing is written to a disk, and no image of the memory left behind. */
const limited = ({ bytes }: Room): string[] => [
  'prlimit',
  `--data=${bytes + ROOM}`,
  '--fsize=0',
  '--core=0',
  '--nofile=256',
  '--',
  // What the service may as an administrator is given up before anything else.
  'setpriv',
  '--no-new-privs',
  '--inh-caps=-all',
  '--ambient-caps=-all',
  '--',
];

/** Who such a process is in its container: nobody. */
export const NOBODY = 65534;

function container(node: string[], mounts: string[]): string[] {
  const binary = process.execPath;
  return [
    'bwrap',
    '--unshare-all',
    '--as-pid-1',
    // Its session is new already, from its start: were it another one, the priority of that would not hold for it.
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--uid',
    String(NOBODY),
    '--gid',
    String(NOBODY),
    '--hostname',
    'reader',
    '--clearenv',
    '--setenv',
    'HOME',
    '/empty',
    ...LIBRARIES.flatMap((path) => both('--ro-bind-try', path)),
    ...LINKED.flatMap((path) => {
      if (!existsSync(path)) return [];
      return lstatSync(path).isSymbolicLink()
        ? ['--symlink', readlinkSync(path), path]
        : both('--ro-bind', path);
    }),
    ...ABOUT_PROCESSOR.flatMap((path) => both('--ro-bind-try', path)),
    ...DEVICES.flatMap((path) => both('--dev-bind', path)),
    ...PROGRAM.flatMap((path) => both('--ro-bind-try', path)),
    ...both('--ro-bind', binary),
    ...mounts,
    '--dir',
    '/empty',
    '--chdir',
    '/empty',
    '--remount-ro',
    '/',
    '--info-fd',
    String(INFO),
    '--seccomp',
    String(FILTER),
    '--',
    ...node,
  ];
}

/** The command that starts a process of Node confined in that way. */
export function confined(level: Confinement, room: Room, run: string[]): Confined {
  const { mounts, allowed } = level === 'container' ? compiledFor(NOBODY) : { mounts: [], allowed: [] };
  const node = [
    process.execPath,
    '--permission',
    ...allowed,
    ...PROGRAM.map((path) => `--allow-fs-read=${path}`),
    // Pictures are decoded, and scans read, by compiled code, of which Node's permission model knows nothing.
    '--allow-addons',
    `--max-old-space-size=${room.heapMb}`,
    '--no-warnings',
    ...run,
  ];
  const filter = systemCallFilter();
  const plain: SpawnOptions['stdio'] = ['pipe', 'ignore', 'ignore', 'pipe'];
  const of = ([command, ...args]: string[]) => ({ command: command!, args });
  if (level === 'container' && filter)
    return {
      ...of([...limited(room), ...container(node, mounts)]),
      filter,
      stdio: [...plain, 'pipe', 'pipe'],
    };
  if (level === 'network')
    return {
      ...of([...limited(room), 'unshare', '--user', '--net', '--ipc', '--', ...node]),
      filter: null,
      stdio: plain,
    };
  return { ...of(node), filter: null, stdio: plain };
}

/** All that such a process is told; nothing of ours, above all no key. */
export const ENVIRONMENT = { PATH: process.env.PATH ?? '', HOME: '/' };

/** Milliseconds: a machine with much to do is no machine without containers. */
const PATIENCE = 60_000;

function works(level: Confinement): Promise<boolean> {
  if (level === 'container' && !systemCallFilter()) return Promise.resolve(false);
  return new Promise((resolve) => {
    const { command, args, filter, stdio } = confined(level, { heapMb: 64, bytes: 256 * MIB }, [
      '--eval',
      'process.exit(0)',
    ]);
    const child = spawn(command, args, { cwd: '/', env: ENVIRONMENT, stdio });
    const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    const settle = (well: boolean) => {
      clearTimeout(patience);
      resolve(well);
    };
    child.once('error', () => settle(false));
    child.once('close', (code) => settle(code === 0));
    for (const stream of child.stdio) stream?.on('error', () => {});
    if (filter) (child.stdio[FILTER] as Writable).end(filter);
  });
}

let found: Promise<Confinement> | undefined;

/** The best that this machine allows, tried once. */
export const confinement = (): Promise<Confinement> =>
  (found ??= (async () => {
    for (const level of CONFINEMENTS.slice(0, -1)) if (await works(level)) return level;
    return 'permissions';
  })());

/** The number of the process in a container, which the container's own tells by the descriptor for that. */
export const INFO_FD = INFO;
export const FILTER_FD = FILTER;
