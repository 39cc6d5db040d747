import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Enable the compile cache before anything else is loaded: it makes the second start faster.
// `tools/runtime.mjs` may have set the folder already. Never Node's default folder, which any user of the
// machine may write to.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
// Everything written here is confidential: no other user of this machine may read it.
process.umask(0o077);
const [{ serve }, { builtSite }] = await Promise.all([
  import('./serving/serve.ts'),
  import('./serving/built-site.ts'),
]);
await serve(builtSite);
