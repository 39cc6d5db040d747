import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire, flushCompileCache } from 'node:module';
import { join, relative } from 'node:path';
import { COMPILED } from './compiled.ts';

const root = join(import.meta.dirname, '../..');
/** What the processes that read files run. */
const PROCESSES = [
  'server/previews/maker.ts',
  'server/previews/reader.ts',
  'server/reading/readers/process.ts',
  'server/reading/locked/process.ts',
  'server/reading/ocr/process.ts',
  'server/masking/process.ts',
  'server/uploads/pages-to-pdf/pdf.worker.ts',
  'server/sheets/reader.ts',
];
const IMPORTED = /^import (?!type\b)[^;]*?'([^']+)';|\bfrom '([^']+)';|\bimport\('([^']+)'\)/gm;

/** What a file of ours, and those that it imports, loads only when it is needed. */
function lazily(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const { resolve } = createRequire(file);
  const imports = readFileSync(file, 'utf8').replaceAll(/^(?:import|export) type [^;]*;/gm, '');
  return [...imports.matchAll(IMPORTED)].flatMap(([, plain, from, lazy]) => {
    const name = (plain ?? from ?? lazy)!;
    const own = /^[.#]/.test(name) ? resolve(name) : null;
    return [...(lazy ? [own ?? lazy] : []), ...(own ? lazily(own, seen) : [])];
  });
}

async function load(module: string): Promise<never> {
  const file = join(root, module);
  // What a machine cannot load, as the networks that read scans on some, is not compiled and not missed.
  for (const each of [file, ...lazily(file)]) await import(each).catch(() => {});
  flushCompileCache();
  process.exit(0);
}

/** Loads what a process of readers loads, once, so that Node notes what it compiled. */
async function compile(module: string): Promise<void> {
  const child = spawn(process.execPath, ['--no-warnings', import.meta.filename, module], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED },
    // As such a process has them: orders come in, answers go out. None come.
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${module} could not be compiled beforehand.`);
}

const [, , given] = process.argv;
if (given) await load(given);
rmSync(COMPILED, { recursive: true, force: true });
for (const module of PROCESSES) await compile(module);
for (const { name, parentPath } of readdirSync(COMPILED, { recursive: true, withFileTypes: true }))
  // The user of the service is another one than who installs.
  chmodSync(join(parentPath, name), 0o755);
process.stderr.write(`Compiled what the readers of files load into ${relative(root, COMPILED)}.\n`);
