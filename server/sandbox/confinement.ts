import type { SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Confinement } from './contract.ts';
import { CONFINEMENTS } from './contract.ts';
import { compileCacheFor } from './compiled.ts';
import { systemCallFilter } from './filter.ts';

const root = join(import.meta.dirname, '../..');
/** The parts of the program that a sandboxed process may read; none of them holds data. */
const PROGRAM_PATHS = ['package.json', 'node_modules', 'server', 'storage', 'site/messages'].map((path) =>
  join(root, path),
);
/** Shared libraries and the cache of the dynamic linker; no programs. */
const LIBRARIES = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/etc/ld.so.cache'];
const LINKED = ['/lib', '/lib64'];
/** ONNX Runtime queries the processor. */
const PROCESSOR_INFO = ['/proc/cpuinfo', '/sys/devices/system/cpu'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/urandom', '/dev/random'];

/** File descriptors of bubblewrap, after those of every sandboxed process; see `serve-requests.ts`. */
export const [INFO_FD, FILTER_FD] = [4, 5];
const MIB = 1024 * 1024;
/**
 * Address space in bytes beyond the resident limit, for thread stacks and memory that is reserved but not used. On a
 * busy machine a process of 350 MB had reserved 2 GB, since freed pictures were not yet returned; with a lower limit
 * the next picture failed.
 */
const ADDRESS_SPACE_RESERVE = 8 * 1024 * MIB;

interface ConfinedCommand {
  command: string;
  args: string[];
  /** The seccomp filter to write to `stdio[FILTER_FD]`; null where none is used. */
  filter: Buffer | null;
  stdio: SpawnOptions['stdio'];
}

interface MemoryLimits {
  /** V8's heap, in MiB. */
  heapMb: number;
  /** Resident, in bytes. */
  bytes: number;
}

const samePath = (flag: string, path: string): string[] => [flag, path, path];

/** Kernel limits for every confinement: no file is written, and no core dump is left behind. */
const prlimit = ({ bytes }: MemoryLimits): string[] => [
  'prlimit',
  `--data=${bytes + ADDRESS_SPACE_RESERVE}`,
  '--fsize=0',
  '--core=0',
  '--nofile=256',
  '--',
  // Drop the privileges of the service first.
  'setpriv',
  '--no-new-privs',
  '--inh-caps=-all',
  '--ambient-caps=-all',
  '--',
];

/** The user and group id within the container: nobody. */
export const NOBODY = 65534;

function container(node: string[], mounts: string[]): string[] {
  const binary = process.execPath;
  return [
    'bwrap',
    '--unshare-all',
    '--as-pid-1',
    // `spawn` with `detached` already made a new session; `--new-session` would make another, without the lowered
    // priority.
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
    ...LIBRARIES.flatMap((path) => samePath('--ro-bind-try', path)),
    ...LINKED.flatMap((path) => {
      if (!existsSync(path)) return [];
      return lstatSync(path).isSymbolicLink()
        ? ['--symlink', readlinkSync(path), path]
        : samePath('--ro-bind', path);
    }),
    ...PROCESSOR_INFO.flatMap((path) => samePath('--ro-bind-try', path)),
    ...DEVICES.flatMap((path) => samePath('--dev-bind', path)),
    ...PROGRAM_PATHS.flatMap((path) => samePath('--ro-bind-try', path)),
    ...samePath('--ro-bind', binary),
    ...mounts,
    '--dir',
    '/empty',
    '--chdir',
    '/empty',
    '--remount-ro',
    '/',
    '--info-fd',
    String(INFO_FD),
    '--seccomp',
    String(FILTER_FD),
    '--',
    ...node,
  ];
}

/** The command that runs Node in the given confinement. */
export function confinedCommand(level: Confinement, limits: MemoryLimits, run: string[]): ConfinedCommand {
  const { mounts, allowed } = level === 'container' ? compileCacheFor(NOBODY) : { mounts: [], allowed: [] };
  const node = [
    process.execPath,
    '--permission',
    ...allowed,
    ...PROGRAM_PATHS.map((path) => `--allow-fs-read=${path}`),
    // Native addons decode pictures and read scans; Node's permission model does not cover them.
    '--allow-addons',
    `--max-old-space-size=${limits.heapMb}`,
    '--no-warnings',
    ...run,
  ];
  const filter = systemCallFilter();
  const stdioWithoutFilter: SpawnOptions['stdio'] = ['pipe', 'ignore', 'ignore', 'pipe'];
  const commandLine = ([command, ...args]: string[]) => ({ command: command!, args });
  if (level === 'container' && filter)
    return {
      ...commandLine([...prlimit(limits), ...container(node, mounts)]),
      filter,
      stdio: [...stdioWithoutFilter, 'pipe', 'pipe'],
    };
  if (level === 'network')
    return {
      ...commandLine([...prlimit(limits), 'unshare', '--user', '--net', '--ipc', '--', ...node]),
      filter: null,
      stdio: stdioWithoutFilter,
    };
  return { ...commandLine(node), filter: null, stdio: stdioWithoutFilter };
}

/** The environment of a sandboxed process: none of the server's, above all no key. */
export const ENVIRONMENT = { PATH: process.env.PATH ?? '', HOME: '/' };

/** A probe may take this long on a busy machine before its confinement counts as unavailable. */
const PROBE_TIMEOUT_MS = 60_000;

function isAvailable(level: Confinement): Promise<boolean> {
  if (level === 'container' && !systemCallFilter()) return Promise.resolve(false);
  return new Promise((resolve) => {
    const { command, args, filter, stdio } = confinedCommand(level, { heapMb: 64, bytes: 256 * MIB }, [
      '--eval',
      'process.exit(0)',
    ]);
    const child = spawn(command, args, { cwd: '/', env: ENVIRONMENT, stdio });
    const timer = setTimeout(() => child.kill('SIGKILL'), PROBE_TIMEOUT_MS);
    const settle = (succeeded: boolean) => {
      clearTimeout(timer);
      resolve(succeeded);
    };
    child.once('error', () => settle(false));
    child.once('close', (code) => settle(code === 0));
    for (const stream of child.stdio) stream?.on('error', () => {});
    if (filter) (child.stdio[FILTER_FD] as Writable).end(filter);
  });
}

let best: Promise<Confinement> | undefined;

/** The strongest confinement that works on this machine, probed once. */
export const confinement = (): Promise<Confinement> =>
  (best ??= (async () => {
    for (const level of CONFINEMENTS.slice(0, -1)) if (await isAvailable(level)) return level;
    return 'permissions';
  })());
