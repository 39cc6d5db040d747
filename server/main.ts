import { enableCompileCache } from 'node:module';

// Compiled code is kept between starts, which makes the second one quick; so nothing is loaded before this line.
enableCompileCache();
const [{ serve }, { builtSite }] = await Promise.all([
  import('./serving/serve.ts'),
  import('./serving/built-site.ts'),
]);
await serve(builtSite);
