import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type * as Zxing from 'zxing-wasm/reader';

let loading: Promise<typeof Zxing> | undefined;

async function load() {
  const reader = await import('zxing-wasm/reader');
  const file = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
  // Without it the library would fetch the file from the network.
  await reader.prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(file).buffer },
    fireImmediately: true,
  });
  return reader;
}

/** ZXing, which finds and reads QR codes; loaded once for each process. */
export const qrReader = (): Promise<typeof Zxing> => (loading ??= load());
