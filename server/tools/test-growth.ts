import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hasRadosgw, startRadosgw } from '#storage/s3/testing/radosgw.ts';

// `npm run test:growth [-- part …]`: the tests that need servers which a single machine does without.
const PARTS: Record<string, { title: string; run: (env: NodeJS.ProcessEnv) => Promise<boolean> }> = {
  s3: { title: 'files in S3', run: onS3 },
  outages: { title: 'three processes through outages, S3 away for 30 s', run: throughOutages },
  postgres: {
    title: 'the server on PostgreSQL',
    run: (env) => runTest('server/tools/test-postgres.ts', env),
  },
};

const S3_TESTS = [
  ...['conformance', 'faults', 'vault'].map((name) => `storage/s3/${name}.test.ts`),
  'server/tools/move.test.ts',
];

async function runTest(file: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  console.log(`\n${file}`);
  const began = performance.now();
  const child = spawn(process.execPath, [file], { stdio: 'inherit', env: { ...process.env, ...env } });
  const [code] = (await once(child, 'exit')) as [number | null];
  console.log(`${file}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return code === 0;
}

async function onS3(env: NodeJS.ProcessEnv): Promise<boolean> {
  if (!env['TEST_S3']) {
    console.log(
      'SKIPPED: no S3 server. As root: apt-get install --no-install-recommends ceph-mon ceph-mgr ceph-osd radosgw',
    );
    return true;
  }
  let sound = true;
  for (const file of S3_TESTS) sound = (await runTest(file, env)) && sound;
  return sound;
}

/** It starts its own PostgreSQL; the address only says that the database is not SQLite. */
function throughOutages(env: NodeJS.ProcessEnv): Promise<boolean> {
  const settings = { DATABASE_URL: 'postgres://its-own', OUTAGES: 'whole' };
  return runTest('server/serving/cluster-outages.test.ts', { ...env, ...settings });
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}: ${Object.keys(PARTS).join(', ')}.`);

// The server that TEST_S3 names as `endpoint key-id secret`, or Ceph's, started here.
const { TEST_S3 } = process.env;
const server = !TEST_S3 && (await hasRadosgw()) ? await startRadosgw() : null;
const testS3 = server ? `${server.endpoint} ${server.keyId} ${server.secret}` : TEST_S3;
let sound = true;
try {
  for (const [name, { title, run }] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n${title}`);
    sound = (await run(testS3 ? { TEST_S3: testS3 } : {})) && sound;
  }
} finally {
  await server?.close();
}
process.exitCode = sound ? 0 : 1;
