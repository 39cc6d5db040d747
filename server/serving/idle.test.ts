import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

/** Prints the URLs of all modules that an import loads, one per line. */
const LOADED = `
import { registerHooks } from 'node:module';
const seen = [];
registerHooks({ resolve: (name, context, next) => { const found = next(name, context); seen.push(found.url); return found; } });
await import(process.argv[1]);
console.log(seen.join('\\n'));
process.exit(0);`;

/** Packages that only some requests and jobs need; each takes 2 to 12 MB of memory. */
const HEAVY = [
  '@napi-rs/canvas',
  '@e965/xlsx',
  'acme-client',
  'mammoth',
  'nodemailer',
  'onnxruntime-node',
  'pdfjs-dist',
  'pdfkit',
  'pg',
  'prom-client',
  'razorpay',
  'sanitize-html',
  'sharp',
  'tar',
];

test('at the start the server loads no modules for rendering, parsing or outgoing connections, to use little memory when idle', async () => {
  const server = import.meta.resolve('#server/serving/serve.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--input-type=module', '-e', LOADED, server],
    { maxBuffer: 1e8 },
  );
  const loaded = stdout.split('\n');
  assert.ok(
    loaded.some((url) => url.endsWith('server/services.ts')),
    'the whole server was looked at',
  );
  for (const name of HEAVY)
    assert.equal(
      loaded.filter((url) => url.includes(`/node_modules/${name}/`)),
      [],
      `${name} is imported where it is needed`,
    );
});

/** Prints the URL of each module when it is loaded. */
const REPORT = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
import { writeSync } from 'node:fs';
registerHooks({ load: (url, context, next) => { writeSync(1, url + '\\n'); return next(url, context); } });`)}`;

test('the built server loads no source file but its first, since what a module keeps would exist twice', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-built-'));
  const server = spawn(
    process.execPath,
    ['--no-warnings', '--import', REPORT, fileURLToPath(import.meta.resolve('#server/main.ts'))],
    {
      env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(server, 'exit');
  let out = '';
  for await (const some of server.stdout) {
    out += String(some);
    if (out.includes(' is at http')) server.kill('SIGTERM');
  }
  await ended;
  await rm(dataDir, { recursive: true });
  const sources = out.split('\n').filter((line) => /^file:.*\/(?:server|storage)\/.*\.ts$/.test(line));
  assert.match(out, 'dist/program/run.js');
  assert.equal(
    sources.filter((url) => !url.includes('worker.ts')).map((url) => url.slice(-'/server/main.ts'.length)),
    ['/server/main.ts'],
  );
});

test.run();
