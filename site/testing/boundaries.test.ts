import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = join(import.meta.dirname, '../..');
/** Static imports, with and without names, and dynamic imports. */
const IMPORT = /(?:^(?:import|export)\s+(?:[^'"]*?\sfrom\s+)?|\bimport\()['"](\.[^'"]+)['"]/gm;

/** Rooms in their order: each imports only from rooms before it in this list, and screens may import from all of them. */
const LAYERS = [
  'assets',
  'messages',
  'lib',
  'components',
  'access',
  'archive',
  'name-conflicts',
  'uploads',
  'pages-to-pdf',
  'seals',
  'sharing',
  'request-dialogs',
  'labels',
  'reading',
  'fields',
  'items',
  'preview',
  'versions',
  'details',
  'layers',
];
/** Dialogs that are opened from several screens: screens may import them. */
const SHARED = 'templates';
const SCREEN = LAYERS.length + 1;

/** Imports that are allowed against the rule, each with its reason. */
const EXCEPTIONS = new Map([
  [
    'components -> layouts',
    'the pages of recipients are drawn without islands, each whole with its own layout',
  ],
  ['shell -> auth', 'whoever is signed out in the middle of work signs in again, on whatever screen'],
]);

const room = (file: string): string | undefined => /^site\/(?:islands\/)?([a-z-]+)\//.exec(file)?.[1];
const layer = (name: string): number => {
  const known = LAYERS.indexOf(name);
  return known >= 0 ? known : name === SHARED ? LAYERS.length : SCREEN;
};

function complaint(from: string, to: string): string | undefined {
  const [here, there] = [room(from), room(to)];
  if (!here || !there || here === there || EXCEPTIONS.has(`${here} -> ${there}`)) return undefined;
  const [own, other] = [layer(here), layer(there)];
  if (own === SCREEN && other === SCREEN)
    return 'screens know nothing of each other: put what they share below';
  return other < own ? undefined : `${here} stands below ${there}: hand it in as an argument`;
}

async function imports(): Promise<{ from: string; to: string }[]> {
  const found: { from: string; to: string }[] = [];
  for await (const from of glob('site/{lib,components,islands}/**/*.{ts,tsx,astro}', { cwd: root })) {
    const text = await readFile(join(root, from), 'utf8');
    for (const [, spec = ''] of text.matchAll(IMPORT)) found.push({ from, to: join(dirname(from), spec) });
  }
  return found;
}

test('the rooms of the site import in one direction only, so that a part can be changed without reading the screens', async () => {
  const all = await imports();
  assert.ok(all.length > 500, 'the imports were not found');
  const wrong = all.flatMap(({ from, to }) => {
    const why = complaint(from, to);
    return why ? [`${from} imports ${to}: ${why}`] : [];
  });
  assert.equal(wrong, []);
});

test('every listed exception is still in use, so that the list stays up to date', async () => {
  const made = new Set((await imports()).map(({ from, to }) => `${room(from)} -> ${room(to)}`));
  assert.equal(
    [...EXCEPTIONS.keys()].filter((exception) => !made.has(exception)),
    [],
  );
});

test('an import in the wrong direction is reported, and every kind of import is found', () => {
  assert.ok(complaint('site/islands/items/Row.tsx', 'site/islands/drive/useDrive.ts'));
  assert.ok(complaint('site/islands/documents/Documents.tsx', 'site/islands/drive/useDrive.ts'));
  assert.ok(complaint('site/lib/browserHistory.ts', 'site/islands/uploads/queue.ts'));
  assert.ok(complaint('site/lib/browserHistory.ts', 'site/components/Button.tsx'));
  assert.not(complaint('site/islands/drive/Drive.tsx', 'site/islands/preview/Layers.tsx'));
  assert.not(complaint('site/islands/preview/archive/layout.tsx', 'site/islands/items/columns.ts'));
  const kinds = `import './a.css';\nimport x from './b.ts';\nconst y = () => import('./c.ts');\nexport { z } from './d.ts';`;
  assert.equal(
    [...kinds.matchAll(IMPORT)].map(([, spec]) => spec),
    ['./a.css', './b.ts', './c.ts', './d.ts'],
  );
});

test.run();
