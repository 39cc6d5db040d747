import { totalmem } from 'node:os';

/** Of all memory, what one process that reads files may hold: two of them leave a tenth to the server and the system. */
const SHARE = 0.45;

/** Bytes of memory that this process may have with all others here: those of the machine, or of the container or service. */
export const memoryHere = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/**
 * What of the bytes that are asked for a process that reads files may hold here: on a small machine it is ended by itself, with
 * words, before the kernel ends whatever it likes.
 */
export const mostBytes = (asked: number, memory = memoryHere()): number => Math.min(asked, memory * SHARE);
