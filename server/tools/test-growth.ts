import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hasRadosgw, startRadosgw } from '#storage/s3/testing/radosgw.ts';

/** The tests that talk to servers which a single machine does not need, each part with what it is run against. */
const PARTS: { name: string; run: () => Promise<boolean> }[] = [
  { name: 'files in S3', run: onS3 },
  { name: 'the server on PostgreSQL', run: () => runTest('server/tools/test-postgres.ts', {}) },
];

const S3_TESTS = [
  ...['conformance', 'faults', 'vault'].map((name) => `storage/s3/${name}.test.ts`),
  'server/tools/move.test.ts',
];

async function runTest(file: string, env: Record<string, string>): Promise<boolean> {
  console.log(`\n${file}`);
  const child = spawn(process.execPath, [file], { stdio: 'inherit', env: { ...process.env, ...env } });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

async function runTests(files: readonly string[], env: Record<string, string>): Promise<boolean> {
  let sound = true;
  for (const file of files) sound = (await runTest(file, env)) && sound;
  return sound;
}

/** The server that TEST_S3 names as `endpoint key-id secret`, or Ceph's, started here. */
async function onS3(): Promise<boolean> {
  if (process.env['TEST_S3']) return runTests(S3_TESTS, {});
  if (!(await hasRadosgw())) {
    console.log(
      'SKIPPED: no S3 server. As root: apt-get install --no-install-recommends ceph-mon ceph-mgr ceph-osd radosgw',
    );
    return true;
  }
  const server = await startRadosgw();
  const { endpoint, keyId, secret } = server;
  return runTests(S3_TESTS, { TEST_S3: `${endpoint} ${keyId} ${secret}` }).finally(() => server.close());
}

let sound = true;
for (const { name, run } of PARTS) {
  console.log(`\n${name}`);
  sound = (await run()) && sound;
}
process.exitCode = sound ? 0 : 1;
