import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

// What the browser loads on every visit is compressed once, at the build, as hard as it goes.
const client = join(import.meta.dirname, '../../dist/client');

for await (const path of glob('**/*.{js,mjs,css,svg,json,txt,xml,wasm}', { cwd: client })) {
  const file = join(client, path);
  const plain = await readFile(file);
  if (plain.length < 1024) continue;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(plain, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(plain, { level: 9 }));
}
