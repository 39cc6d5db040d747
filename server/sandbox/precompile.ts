import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire, flushCompileCache } from 'node:module';
import { join, relative } from 'node:path';
import { COMPILE_CACHE } from './compiled.ts';

const root = join(import.meta.dirname, '../..');
/** The entry modules of the sandboxed processes. */
const PROCESSES = [
  'server/previews/renderer-process.ts',
  'server/previews/views-process.ts',
  'server/reading/readers/process.ts',
  'server/reading/locked/process.ts',
  'server/reading/ocr/process.ts',
  'server/masking/process.ts',
  'server/uploads/pages-to-pdf/process.ts',
  'server/sheets/process.ts',
];
const IMPORTED = /^import (?!type\b)[^;]*?'([^']+)';|\bfrom '([^']+)';|\bimport\('([^']+)'\)/gm;

/** The modules that a file and its own imports load lazily, by `import()`. */
function lazyImports(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const { resolve } = createRequire(file);
  const imports = readFileSync(file, 'utf8').replaceAll(/^(?:import|export) type [^;]*;/gm, '');
  return [...imports.matchAll(IMPORTED)].flatMap(([, plain, from, lazy]) => {
    const name = (plain ?? from ?? lazy)!;
    const path = /^[.#]/.test(name) ? resolve(name) : null;
    return [...(lazy ? [path ?? lazy] : []), ...(path ? lazyImports(path, seen) : [])];
  });
}

async function load(module: string): Promise<never> {
  const file = join(root, module);
  // Some modules do not load on every machine, such as ONNX Runtime: they are skipped.
  for (const each of [file, ...lazyImports(file)]) await import(each).catch(() => {});
  flushCompileCache();
  process.exit(0);
}

/** Loads a process's modules once in a child, so that Node writes their compile cache. */
async function compile(module: string): Promise<void> {
  const child = spawn(process.execPath, ['--no-warnings', import.meta.filename, module], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE },
    // The same descriptors as in the sandbox: requests on stdin, responses on 3. No request is sent.
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${module} could not be compiled beforehand.`);
}

const [, , moduleToLoad] = process.argv;
if (moduleToLoad) await load(moduleToLoad);
rmSync(COMPILE_CACHE, { recursive: true, force: true });
for (const module of PROCESSES) await compile(module);
for (const { name, parentPath } of readdirSync(COMPILE_CACHE, { recursive: true, withFileTypes: true }))
  // The service runs as another user than the one who installs.
  chmodSync(join(parentPath, name), 0o755);
process.stderr.write(`Compiled what the readers of files load into ${relative(root, COMPILE_CACHE)}.\n`);
