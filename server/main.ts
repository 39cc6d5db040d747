import { enableCompileCache } from 'node:module';

// Compiled code is kept between starts, which makes the second one quick; so nothing is loaded before this line.
enableCompileCache();
// What is written here is other people's papers: nobody else on this machine may read it.
process.umask(0o077);
const [{ serve }, { builtSite }] = await Promise.all([
  import('./serving/serve.ts'),
  import('./serving/built-site.ts'),
]);
await serve(builtSite);
