import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import type { Assets } from '#desktop/window/server.ts';

/** Files of the page by the path at which the window has them. */
export const PAGE: Record<string, { file: string; type: string }> = {
  '/': { file: 'page.html', type: 'text/html; charset=utf-8' },
  '/connected': { file: 'connected.html', type: 'text/html; charset=utf-8' },
  '/closed': { file: 'closed.html', type: 'text/html; charset=utf-8' },
  '/style.css': { file: 'style.css', type: 'text/css; charset=utf-8' },
  '/tokens.css': { file: 'tokens.css', type: 'text/css; charset=utf-8' },
  '/page.js': { file: 'page.ts', type: 'text/javascript; charset=utf-8' },
};

const SOURCES = () => join(import.meta.dirname, '../window/page');
/** The site's own colours. */
const TOKENS = () => join(import.meta.dirname, '../../site/styles/tokens.css');

/** Out of the program's file, or out of the sources. */
export const assets: Assets = (path) => {
  const known = Object.hasOwn(PAGE, path) ? PAGE[path] : undefined;
  if (!known) return undefined;
  const { file, type } = known;
  if (isSea()) return { type, content: getAsset(file, 'utf8') };
  const content = readFileSync(file === 'tokens.css' ? TOKENS() : join(SOURCES(), file), 'utf8');
  return { type, content: file.endsWith('.ts') ? stripTypeScriptTypes(content) : content };
};
