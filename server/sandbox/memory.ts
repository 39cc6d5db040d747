import { totalmem } from 'node:os';

/**
 * The share of memory that one sandboxed process may use: two of them leave a tenth for the server and the system.
 */
const MAX_SHARE = 0.45;

/** Bytes available to this process and all others here: of the machine, or of the container or service. */
export const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/**
 * Caps a requested memory limit on a small machine, so that the process is ended with a clear fault before the
 * kernel's OOM killer picks a victim.
 */
export const memoryLimit = (requested: number, memory = availableMemory()): number =>
  Math.min(requested, memory * MAX_SHARE);
