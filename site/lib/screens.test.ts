import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SCREENS, isCurrentScreen } from './screens.ts';

const test = suite('the sidebar');

const PAGES = join(import.meta.dirname, '../pages');
/** Screens that are reached from the top bar, or from other apps of a phone, and not from the sidebar. */
const NOT_IN_SIDEBAR = ['/download-app', '/no-access', '/desktop/connect', '/share'];

test('exactly one entry of the sidebar is marked as current on every screen that the sidebar leads to', async () => {
  const paths: string[] = [];
  for await (const file of glob('**/*.astro', { cwd: PAGES })) {
    const source = await readFile(join(PAGES, file), 'utf8');
    if (source.includes('layouts/App.astro'))
      paths.push(`/${file.replace(/(?:\/index)?\.astro$/, '').replace(/\[[^\]]+\]/, '7')}`);
  }
  assert.ok(paths.includes('/system') && paths.includes('/clients/7'));
  const marked = (path: string) => SCREENS.filter((screen) => isCurrentScreen(screen, path)).length;
  assert.equal(paths.filter((path) => marked(path) !== 1).toSorted(), NOT_IN_SIDEBAR.toSorted());
});

test.run();
