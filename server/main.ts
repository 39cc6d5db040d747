import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Compiled code is kept between starts, which makes the second one quick; so nothing is loaded before this line. Whoever starts
// the server by `tools/runtime.mjs` has named the place already; never Node's own, which anybody on the machine may write to.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
// What is written here is other people's documents: nobody else on this machine may read it.
process.umask(0o077);
const [{ serve }, { builtSite }] = await Promise.all([
  import('./serving/serve.ts'),
  import('./serving/built-site.ts'),
]);
await serve(builtSite);
