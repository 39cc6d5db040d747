import { arch } from 'node:os';

/** Actions of seccomp. */
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const refused = (errno: number) => 0x00050000 | errno;
const [EPERM, ENOSYS] = [1, 38];

/** Opcodes of classic BPF: load a word, jump if equal, jump if at least, jump if a bit is set, return. */
const LOAD = 0x20;
const [EQUAL, AT_LEAST, HAS_BIT] = [0x15, 0x35, 0x45];
const RETURN = 0x06;
/** Offsets in `struct seccomp_data`: the system call, the architecture, the lower half of the first argument. */
const [CALL, ARCH, FIRST_ARGUMENT] = [0, 4, 16];
/** The flag of `clone` for a thread instead of a process. */
const CLONE_THREAD = 0x00010000;
/** The bit of calls of the x32 ABI, which would bypass a list of call numbers. */
const X32 = 0x40000000;

interface Machine {
  /** `AUDIT_ARCH_*`. */
  audit: number;
  clone: number;
  clone3: number;
  /** Refused system calls by number. */
  refused: Record<string, number>;
}

/** System calls from 424 on have the same number on every architecture. */
const SHARED_NUMBERS = {
  pidfd_send_signal: 424,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_open: 434,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
};

const MACHINES: Record<string, Machine> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    clone3: 435,
    refused: {
      ...SHARED_NUMBERS,
      socket: 41,
      connect: 42,
      accept: 43,
      sendto: 44,
      bind: 49,
      listen: 50,
      socketpair: 53,
      accept4: 288,
      fork: 57,
      vfork: 58,
      ptrace: 101,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      personality: 135,
      pivot_root: 155,
      chroot: 161,
      mount: 165,
      umount2: 166,
      swapon: 167,
      reboot: 169,
      init_module: 175,
      finit_module: 313,
      delete_module: 176,
      iopl: 172,
      ioperm: 173,
      acct: 163,
      settimeofday: 164,
      clock_settime: 227,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      unshare: 272,
      perf_event_open: 298,
      fanotify_init: 300,
      name_to_handle_at: 303,
      open_by_handle_at: 304,
      setns: 308,
      memfd_create: 319,
      bpf: 321,
      userfaultfd: 323,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    clone3: 435,
    refused: {
      ...SHARED_NUMBERS,
      socket: 198,
      socketpair: 199,
      bind: 200,
      listen: 201,
      accept: 202,
      connect: 203,
      sendto: 206,
      accept4: 242,
      ptrace: 117,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      personality: 92,
      pivot_root: 41,
      chroot: 51,
      mount: 40,
      umount2: 39,
      swapon: 224,
      reboot: 142,
      init_module: 105,
      finit_module: 273,
      delete_module: 106,
      acct: 89,
      settimeofday: 170,
      clock_settime: 112,
      kexec_load: 104,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      unshare: 97,
      perf_event_open: 241,
      fanotify_init: 262,
      name_to_handle_at: 264,
      open_by_handle_at: 265,
      setns: 268,
      memfd_create: 279,
      bpf: 280,
      userfaultfd: 282,
    },
  },
};

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

function instructionsFor({ audit, clone, clone3, refused: calls }: Machine): Instruction[] {
  const numbers = [...new Set(Object.values(calls))].toSorted((a, b) => a - b);
  return [
    [LOAD, 0, 0, ARCH],
    [EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, CALL],
    [AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, KILL],
    // libc tries `clone3` first, whose arguments no filter can see, and falls back to `clone` on ENOSYS.
    [EQUAL, 0, 1, clone3],
    [RETURN, 0, 0, refused(ENOSYS)],
    ...numbers.flatMap((number): Instruction[] => [
      [EQUAL, 0, 1, number],
      [RETURN, 0, 0, refused(EPERM)],
    ]),
    [EQUAL, 0, 3, clone],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [HAS_BIT, 1, 0, CLONE_THREAD],
    [RETURN, 0, 0, refused(EPERM)],
    [RETURN, 0, 0, ALLOW],
  ];
}

/**
 * A seccomp filter in the format of the kernel: no sockets, no new processes, no inspection of other processes, no
 * administrative calls. Null for a processor whose call numbers are not known here.
 */
export function systemCallFilter(processor: string = arch()): Buffer | null {
  const machine = MACHINES[processor];
  if (!machine) return null;
  const instructions = instructionsFor(machine);
  const bytes = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code, ifTrue, ifFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  });
  return bytes;
}
