type Call = (...values: unknown[]) => number | bigint;
type Signatures<Names extends string> = Record<Names, { arguments: string[]; return: string }>;

/** What is used of `node:ffi`, which only the runtime of the built program has. */
export interface Ffi {
  dlopen<Names extends string>(
    path: string,
    definitions: Signatures<Names>,
  ): {
    functions: Record<Names, Call>;
    lib: {
      /** @returns its address; it is called by the thread that made it, and may not throw. */
      registerCallback(signature: { arguments: string[]; return: string }, called: Call): bigint;
    };
  };
  getRawPointer(source: Uint8Array): bigint;
  toBuffer(pointer: bigint, length: number): Buffer;
}

/** Calls into Windows; null elsewhere, and where the runtime has none. */
export function windowsFfi(): Ffi | null {
  if (process.platform !== 'win32' || process.arch !== 'x64') return null;
  return (process.getBuiltinModule?.('node:ffi' as 'node:fs') as unknown as Ffi | undefined) ?? null;
}

/** Memory of its own, which does not move while Windows reads it. */
export function own(bytes: Uint8Array | string): Buffer {
  const source = Buffer.from(bytes);
  const copy = Buffer.allocUnsafeSlow(source.length);
  source.copy(copy);
  return copy;
}

/** As Windows reads text: UTF-16 with a zero at the end. */
export const wide = (text: string): Buffer => own(Buffer.from(`${text}\0`, 'utf16le'));
