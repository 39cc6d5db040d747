// Builds the `sqlite3` package on top of an encrypting SQLite, from the sources in the installed packages. Must
// run on Node 20 or newer, before anything has been built.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The SQLite amalgamation with the ciphers of "SQLite3 Multiple Ciphers"; the rest of this package is not used. */
const SOURCE = 'node_modules/better-sqlite3-multiple-ciphers/deps/sqlite3';
/** Folder of the static library that the `sqlite3` addon is linked with. */
const OUT = 'node_modules/.cache/sqlite';

/**
 * Headers of the project's own Node. They come from npm with it; node-gyp would download them from another
 * site, which the network of an office may block.
 */
const HEADERS = `node_modules/node/node_modules/node-${process.platform}-${process.arch}`;

/**
 * Like `sqlite3`'s own build, except that temporary data of sorts and copies stays in memory: on disk it would
 * not be encrypted.
 */
const DEFINES = [
  'NDEBUG',
  'SQLITE_THREADSAFE=1',
  'HAVE_USLEEP=1',
  'SQLITE_ENABLE_FTS5',
  'SQLITE_ENABLE_DBSTAT_VTAB=1',
  'SQLITE_ENABLE_MATH_FUNCTIONS',
  'SQLITE_TEMP_STORE=2',
];

/**
 * How npm runs the install scripts of the packages that are named after it. It would warn of all others that have one, which `.npmrc`
 * forbids on purpose.
 */
export const REBUILD = ['rebuild', '--ignore-scripts=false', '--loglevel=error'];

/** Inputs of the build, for its stamp. */
export const SQLITE_PARTS = [`${SOURCE}/sqlite3.c`, 'node_modules/sqlite3/package.json'];

/**
 * @param {string} root the project folder, with its packages.
 * @returns {boolean} whether the build succeeded; errors go to standard error.
 */
export function buildSqlite(root) {
  const at = (path) => join(root, path);
  const run = (command, args, env = {}) => {
    const { status, error } = spawnSync(command, args, {
      cwd: root,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, ...env },
    });
    return !error && status === 0;
  };
  mkdirSync(at(`${OUT}/lib`), { recursive: true });
  mkdirSync(at(`${OUT}/include`), { recursive: true });
  for (const name of ['sqlite3.h', 'sqlite3ext.h'])
    copyFileSync(at(`${SOURCE}/${name}`), at(`${OUT}/include/${name}`));
  const headers = existsSync(at(`${HEADERS}/include/node/common.gypi`));
  const object = at(`${OUT}/sqlite3.o`);
  const defines = DEFINES.map((one) => `-D${one}`);
  const built =
    run(process.env.CC ?? 'cc', [
      '-O2',
      '-fPIC',
      '-w',
      ...defines,
      '-c',
      at(`${SOURCE}/sqlite3.c`),
      '-o',
      object,
    ]) &&
    run('ar', ['rcs', at(`${OUT}/lib/libsqlite3-sealed.a`), object]) &&
    // As settings of npm, which hands them to its node-gyp.
    run('npm', [...REBUILD, 'sqlite3'], {
      npm_config_build_from_source: 'true',
      npm_config_sqlite: at(OUT),
      npm_config_sqlite_libname: 'sqlite3-sealed',
      ...(headers && { npm_config_nodedir: at(HEADERS) }),
    });
  return built && existsSync(at('node_modules/sqlite3/build/Release/node_sqlite3.node'));
}
