// Builds the `sqlite3` package over a SQLite that seals its pages, from the sources that came with the packages. Runs on any
// Node from 20 on, before anything that is built can be imported.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** SQLite in one file with the ciphers of "SQLite3 Multiple Ciphers"; of this package nothing else is used. */
const SOURCE = 'node_modules/better-sqlite3-multiple-ciphers/deps/sqlite3';
/** What the addon of `sqlite3` is linked with. */
const OUT = 'node_modules/.cache/sqlite';

/**
 * The headers of the Node that the project runs on. They came with it from npm: node-gyp would fetch them from another
 * place, which the network of an office may not let it reach.
 */
const HEADERS = `node_modules/node/node_modules/node-${process.platform}-${process.arch}`;

/** As `sqlite3` builds its own, but that what SQLite sorts or copies beside a database stays in memory, where it is not sealed. */
const DEFINES = [
  'NDEBUG',
  'SQLITE_THREADSAFE=1',
  'HAVE_USLEEP=1',
  'SQLITE_ENABLE_FTS5',
  'SQLITE_ENABLE_DBSTAT_VTAB=1',
  'SQLITE_ENABLE_MATH_FUNCTIONS',
  'SQLITE_TEMP_STORE=2',
];

/** What the build depends on, for a stamp. */
export const SQLITE_PARTS = [`${SOURCE}/sqlite3.c`, 'node_modules/sqlite3/package.json'];

/**
 * @param {string} root of the project, with its packages.
 * @returns {boolean} whether it was built; what was wrong stands on standard error.
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
    run('npm', ['rebuild', 'sqlite3'], {
      npm_config_build_from_source: 'true',
      npm_config_sqlite: at(OUT),
      npm_config_sqlite_libname: 'sqlite3-sealed',
      ...(headers && { npm_config_nodedir: at(HEADERS) }),
    });
  return built && existsSync(at('node_modules/sqlite3/build/Release/node_sqlite3.node'));
}
