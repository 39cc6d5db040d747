import { join } from 'node:path';
import { dev } from 'astro';
import { serve } from '../serve.ts';

/** Where Astro's development server looks for what a page may ask. */
const LOCALS = Symbol.for('astro.locals');

// `npm run dev`: a saved page shows at once; a saved server file starts this process again (node --watch-path).
await serve(async () => {
  const astro = await dev({ root: join(import.meta.dirname, '../..'), logLevel: 'warn' });
  return {
    async render(req, res, _next, locals) {
      Reflect.set(req, LOCALS, locals);
      astro.handle(req, res);
    },
  };
});
