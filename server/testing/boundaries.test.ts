import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = join(import.meta.dirname, '../..');
const SOURCES = '{server,storage,site,migrations,bench,desktop}/**/*.{ts,tsx,astro}';
const IMPORT = /^(?:import|export)\s+(type\s)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

const isTest = (file: string) => file.endsWith('.test.ts') || /(^|\/)(testing|e2e)\//.test(file);
/** Composition roots: top-level files, services, configuration, serving and admin commands. */
const isRoot = (file: string) => /^server\/(?:(?:config|services|serving|tools)\/)?[\w-]+\.ts$/.test(file);
/** The room of a server file; '' for top-level files. */
const room = (file: string) => /^server\/([^/]+)\//.exec(file)?.[1] ?? '';

/** Rooms that depend on no feature, so every feature may import them. */
const COMMON = ['http', 'text', 'db', 'fonts', 'pdf', 'visibility', 'links', 'sandbox'];
/** Of common ground only as types: column encryption is passed as a dependency. */
const COMMON_TYPES = ['server/db/column-encryption.ts'];
const COMMON_FILES = [
  'server/actor.ts',
  'server/permissions.ts',
  'server/clock.ts',
  'server/semaphore.ts',
  'server/stopping.ts',
];
/** Modules that the browser may import too. */
const ANYWHERE = /\/contract\.ts$|^server\/text\/|^server\/permissions\.ts$/;
/** Parts of a room that one other room may import: home and user. */
const SHARED: [home: string, user: string][] = [
  ['server/records/', 'server/documents/'],
  ['server/documents/tree.ts', 'server/records/'],
  // The name index is updated with the items, and filters their lists.
  ['server/search/index.ts', 'server/documents/'],
  ['server/search/index.ts', 'server/records/'],
  ['server/archive/write/', 'server/exports/'],
  // Files from outside are received by the same code as uploads of the firm's own users.
  ['server/uploads/', 'server/collecting/'],
  // Programs are recognised by their content wherever files arrive: uploaded, extracted, and from outside.
  ['server/scanning/executables.ts', 'server/archive/'],
  ['server/scanning/executables.ts', 'server/collecting/'],
  // Text extraction reads files like previews do: in a separate process, by the same readers.
  ['server/previews/convert/', 'server/reading/readers/'],
  ['server/sheets/office-package.ts', 'server/reading/readers/'],
  // The document type is recognised while its text is read; dates and check digits follow the same rules.
  ['server/recognition/', 'server/reading/readers/'],
  ['server/reading/words/', 'server/recognition/'],
  // Masking draws and reads pages like everything else, in a separate process.
  ['server/previews/pictures.ts', 'server/masking/'],
  ['server/reading/', 'server/masking/'],
  // A workbook is a ZIP file; the process that reads it gets no dependencies injected.
  ['server/archive/read/', 'server/sheets/office-package.ts'],
];

/** Types that may be imported beyond a room's service.ts and contract.ts: home and user. */
const TYPES: [home: string, user: string][] = [
  // The definition of a job kind.
  ['server/jobs/kinds.ts', 'server/'],
  ['server/datadir/deletion-lock.ts', 'server/records/'],
];

function complaint({ from, to, typeOnly }: Import): string | undefined {
  if (isTest(from) || from.startsWith('bench/')) return undefined;
  if (to.startsWith('desktop/') && !from.startsWith('desktop/')) return 'nothing imports the desktop program';
  if (from.startsWith('desktop/')) return desktopComplaint(from, to);
  if (from.startsWith('storage/') && !to.startsWith('storage/')) return 'storage knows nobody';
  if (from.startsWith('migrations/'))
    return 'a migration imports nothing of ours: it must mean the same for ever';
  if (to.startsWith('site/') && !from.startsWith('site/')) return 'nothing imports site';
  if (from.startsWith('site/') && to.startsWith('storage/')) return 'site asks services, never the store';
  if (!to.startsWith('server/') || ANYWHERE.test(to)) return undefined;
  if (from.startsWith('site/'))
    return typeOnly ? undefined : 'site may import values only from a contract.ts, permissions.ts and text/';
  if (isRoot(from) || room(from) === room(to)) return undefined;
  if (COMMON.includes(room(to)) && (typeOnly || !COMMON_TYPES.includes(to))) return undefined;
  if (COMMON_FILES.includes(to)) return undefined;
  if (SHARED.some(([of, by]) => to.startsWith(of) && from.startsWith(by))) return undefined;
  if (!typeOnly) return 'modules meet in services.ts; import the type and take the value as an argument';
  if (to.endsWith('/service.ts') || TYPES.some(([of, by]) => to === of && from.startsWith(by)))
    return undefined;
  return 'of another module only what its service.ts and contract.ts say is known, types as well';
}

/** Rooms of the desktop program; each may import those before it. */
const DESKTOP = [
  'queue',
  'watch',
  'upload',
  'pairing',
  'engine.ts',
  'window',
  'system',
  'tray',
  'main.ts',
  'build',
];

function desktopComplaint(from: string, to: string): string | undefined {
  if (!to.startsWith('desktop/'))
    return /^server\/.*\/?contract\.ts$/.test(to)
      ? undefined
      : 'the program knows of the vault only what a contract.ts tells';
  const [own, other] = [from, to].map((path) => DESKTOP.indexOf(path.split('/')[1]!)) as [number, number];
  // The program reads its version from the package that it is built from.
  if (to === 'desktop/build/packages/package.json' || (own >= 0 && other >= 0 && other <= own))
    return undefined;
  return `the program's rooms know those before them: ${DESKTOP.join(', ')}`;
}

async function imports(): Promise<Import[]> {
  const found: Import[] = [];
  for await (const from of glob(SOURCES, { cwd: root })) {
    const text = await readFile(join(root, from), 'utf8');
    for (const [, type, spec = ''] of text.matchAll(IMPORT)) {
      if (!/^[.#]/.test(spec)) continue;
      const named = spec.replace(/^#messages\//, '#site/messages/en/');
      const to = named.startsWith('#') ? named.slice(1) : join(dirname(from), named);
      found.push({ from, to, typeOnly: Boolean(type) });
    }
  }
  return found;
}

test('imports follow the architecture', async () => {
  const all = await imports();
  assert.ok(all.length > 100, 'the imports were not found');
  const wrong = all.flatMap((one) => {
    const why = complaint(one);
    return why ? [`${one.from} imports ${one.to}: ${why}`] : [];
  });
  assert.equal(wrong, []);
});

/** The lowest layer, which depends on no feature. */
const GROUND = ['http', 'text', 'db', 'visibility', 'sandbox'];
/** Composition, not features. */
const AROUND = ['config', 'services', 'serving', 'tools', 'testing'];

/** Which rooms each room depends on, by types too; shared parts are not counted. */
async function knows(): Promise<Map<string, Set<string>>> {
  const known = new Map<string, Set<string>>();
  for (const { from, to } of await imports()) {
    const [own, other] = [room(from), room(to)];
    if (isTest(from) || own === '' || other === '' || own === other) continue;
    if ([...GROUND, ...AROUND].some((one) => one === own || one === other)) continue;
    if (SHARED.some(([of, by]) => to.startsWith(of) && from.startsWith(by))) continue;
    known.set(own, (known.get(own) ?? new Set()).add(other));
  }
  return known;
}

test('rooms do not depend on each other in cycles, not even by types', async () => {
  const known = await knows();
  assert.ok(known.size > 20, 'the rooms were not found');
  // Repeatedly remove rooms without remaining dependencies; cycles, and what leads to them, stay.
  for (let before = -1; before !== known.size;) {
    before = known.size;
    for (const [one, others] of known) if (![...others].some((other) => known.has(other))) known.delete(one);
  }
  const left = Array.from(
    known,
    ([one, others]) => `${one} → ${[...others].filter((other) => known.has(other)).join(', ')}`,
  );
  assert.equal(left, []);
});

/** Folders that may contain raw SQL and knowledge of SQLite. */
const KNOWS_SQLITE = /^server\/(?:db|datadir|tools|testing)\//;
const DIALECT =
  /\.raw[(<]|\b(?:json_each|json_extract|instr|group_concat|strftime|unhex)\(|\browid\b|\bMATCH \?|\bPRAGMA\b|\bVACUUM\b/;

test('SQL that only SQLite understands stays in server/db', async () => {
  const found: string[] = [];
  for await (const file of glob('server/**/*.ts', { cwd: root })) {
    if (KNOWS_SQLITE.test(file) || isTest(file)) continue;
    const lines = (await readFile(join(root, file), 'utf8')).split('\n');
    for (const [index, line] of lines.entries())
      if (DIALECT.test(line)) found.push(`${file}:${index + 1}: ${line.trim()}`);
  }
  assert.equal(found, []);
});

test('every test file calls run(), since uvu does not report one that forgot it', async () => {
  const silent: string[] = [];
  for await (const file of glob('{server,storage,site,bench,desktop}/**/*.test.ts', { cwd: root })) {
    if (!/\.run\(\);?\s*$/.test(await readFile(join(root, file), 'utf8'))) silent.push(file);
  }
  assert.equal(silent, []);
});

test('no file has more than 400 lines', async () => {
  const long: string[] = [];
  for await (const file of glob(SOURCES, { cwd: root })) {
    const lines = (await readFile(join(root, file), 'utf8')).split('\n').length;
    if (lines > 401) long.push(`${file}: ${lines}`);
  }
  assert.equal(long, []);
});

test.run();
