type Call = (...values: unknown[]) => number | bigint;
type Signatures<Names extends string> = Record<Names, { arguments: string[]; return: string }>;

/** The part of `node:ffi` that is used; only the runtime of the built program has it. */
export interface Ffi {
  dlopen<Names extends string>(
    path: string,
    definitions: Signatures<Names>,
  ): {
    functions: Record<Names, Call>;
    lib: {
      /** @returns the callback's address. It must be called on the thread that registered it, and must not throw. */
      registerCallback(signature: { arguments: string[]; return: string }, called: Call): bigint;
    };
  };
  getRawPointer(source: Uint8Array): bigint;
  toBuffer(pointer: bigint, length: number): Buffer;
}

/** Access to Windows DLLs; null on other systems and in runtimes without it. */
export function windowsFfi(): Ffi | null {
  if (process.platform !== 'win32' || process.arch !== 'x64') return null;
  return (process.getBuiltinModule?.('node:ffi' as 'node:fs') as unknown as Ffi | undefined) ?? null;
}

/** A copy in memory that does not move while Windows reads it. */
export function own(bytes: Uint8Array | string): Buffer {
  const source = Buffer.from(bytes);
  const copy = Buffer.allocUnsafeSlow(source.length);
  source.copy(copy);
  return copy;
}

/** A Windows string: UTF-16 with a terminating zero. */
export const utf16 = (text: string): Buffer => own(Buffer.from(`${text}\0`, 'utf16le'));
