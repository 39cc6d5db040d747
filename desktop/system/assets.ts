import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import type { Assets } from '#desktop/window/server.ts';

/** Files of the page, by their URL path. */
export const PAGE: Record<string, { file: string; type: string }> = {
  '/': { file: 'page.html', type: 'text/html; charset=utf-8' },
  '/connected': { file: 'connected.html', type: 'text/html; charset=utf-8' },
  '/closed': { file: 'closed.html', type: 'text/html; charset=utf-8' },
  '/style.css': { file: 'style.css', type: 'text/css; charset=utf-8' },
  '/screens.css': { file: 'screens.css', type: 'text/css; charset=utf-8' },
  '/tokens.css': { file: 'tokens.css', type: 'text/css; charset=utf-8' },
  '/icon.svg': { file: 'favicon.svg', type: 'image/svg+xml' },
  '/page.js': { file: 'page.ts', type: 'text/javascript; charset=utf-8' },
};

/** Files that are shared with the site. */
export const SITE: Record<string, string> = {
  'tokens.css': '../../site/styles/tokens.css',
  'favicon.svg': '../../site/public/favicon.svg',
};

/** Reads assets from the executable, or from the sources, where each page module is a file of its own. */
export const assets: Assets = (path) => {
  const module = /^\/([a-z]+\.ts)$/.exec(path)?.[1];
  const known = Object.hasOwn(PAGE, path)
    ? PAGE[path]
    : module && !isSea()
      ? { file: module, type: PAGE['/page.js']!.type }
      : undefined;
  if (!known) return undefined;
  const { file, type } = known;
  if (isSea()) return { type, content: getAsset(file, 'utf8') };
  const filePath = join(import.meta.dirname, SITE[file] ?? `../window/page/${file}`);
  if (module && !existsSync(filePath)) return undefined;
  const content = readFileSync(filePath, 'utf8');
  return { type, content: file.endsWith('.ts') ? stripTypeScriptTypes(content) : content };
};
