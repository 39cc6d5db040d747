import { readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';

// Joins the modules of the server and of the commands, and the packages that every start loads, into a few files in dist/program. Loaded one
// by one, those 1,800 modules take twice the processor at the start, and 15 MB more for as long as the server runs.
// Nothing is minified, so that stack traces name functions, and a comment above each module names its file.
const root = join(import.meta.dirname, '../..');
const OUT = join(root, 'dist/program');

/** Packages that every start loads: pure JavaScript that reads no file of its own. Others stay in node_modules. */
const BUNDLED = new Set([
  '@koa/multer',
  '@koa/router',
  'busboy',
  'koa',
  'koa-session',
  'knex',
  'objection',
  'otpauth',
  'pino',
  'rotating-file-stream',
  'uqr',
  'valibot',
]);
/** What bundled packages import that is compiled, starts a thread from its own file, or is not installed. */
const UNBUNDLED =
  /^(?:sqlite3|better-sqlite3|thread-stream|pg|pg-.*|mysql2?|mariadb|oracledb|tedious)(?:\/|$)/;

/** The package of an import such as `@koa/router` or `knex/lib/client.js`. */
const packageOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

const packages: Plugin = {
  name: 'packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.#/]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return undefined;
      if (path.startsWith('node:') || UNBUNDLED.test(path)) return { path, external: true };
      // A bundled package brings its own.
      if (importer.includes('/node_modules/')) return undefined;
      return BUNDLED.has(packageOf(path)) ? undefined : { path, external: true };
    });
  },
};

/** Keeps `import.meta` what it is in the source file, by which modules find workers, migrations and `dist`. */
const ownPaths: Plugin = {
  name: 'own-paths',
  setup({ onLoad }) {
    onLoad({ filter: /\.(?:ts|mjs)$/ }, async ({ path }) => {
      if (path.includes('/node_modules/')) return undefined;
      const source = await readFile(path, 'utf8');
      const fromOut = (file: string) => JSON.stringify(relative(OUT, file));
      const contents = source
        .replaceAll('import.meta.dirname', `joinPath(programFolder, ${fromOut(dirname(path))})`)
        .replaceAll('import.meta.filename', `joinPath(programFolder, ${fromOut(path)})`)
        .replaceAll('import.meta.url', `urlOf(joinPath(programFolder, ${fromOut(path)})).href`);
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

await rm(OUT, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['server/serving/run.ts', 'server/tools/commands.ts'],
  entryNames: '[name]',
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  legalComments: 'eof',
  logLevel: 'warning',
  plugins: [packages, ownPaths],
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module';
import { join as joinPath } from 'node:path';
import { pathToFileURL as urlOf } from 'node:url';
const require = requireFrom(import.meta.url);
const programFolder = import.meta.dirname;`,
  },
});
