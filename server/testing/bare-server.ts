import { join } from 'node:path';
import type * as Program from '../serving/run.ts';
import { isBuilt } from '../tools/prepare.mjs';

// A complete server without pages, for tests that kill it; bundled if it can be, since it is started often.
const bundled = join(import.meta.dirname, '../../dist/program/run.js');
const { serve } = (await import(isBuilt() ? bundled : '../serving/run.ts')) as typeof Program;
await serve(async () => ({
  async render(_req, res) {
    res.end();
  },
}));
