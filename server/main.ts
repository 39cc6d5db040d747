import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type * as Program from './serving/run.ts';

// Enable the compile cache before anything else is loaded: it makes the second start faster.
// `tools/runtime.mjs` may have set the folder already. Never Node's default folder, which any user of the
// machine may write to.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
// Everything written here is confidential: no other user of this machine may read it.
process.umask(0o077);
// Written by the build (`tools/bundle.ts`), with the pages.
const bundled = join(import.meta.dirname, '../dist/program/run.js');
const program = existsSync(bundled) ? bundled : './serving/run.ts';
const { run } = (await import(program)) as typeof Program;
await run();
