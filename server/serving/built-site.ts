import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PageLocals } from '../app.ts';
import { createAssets } from '../http/assets.ts';
import type { RenderPage } from '../http/pages.ts';
import type { Site } from './serve.ts';

const DIST = join(import.meta.dirname, '../../dist');

/** Loads the site that `npm run build` wrote to `folder`. @throws when it is not built. */
export async function builtSite(folder = DIST): Promise<Site> {
  const entry = join(folder, 'server/entry.mjs');
  if (!existsSync(entry))
    throw new Error('The pages are not built. Start with "npm start", which builds them.');
  const { handler } = (await import(entry)) as { handler: RenderPage<PageLocals> };
  return { render: handler, assets: createAssets(join(folder, 'client')) };
}
