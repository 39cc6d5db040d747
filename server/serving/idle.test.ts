import { execFile } from 'node:child_process';
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

test.run();
