import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const run = promisify(execFile);
const entry = join(import.meta.dirname, 'admin.ts');

test('let-in prints a password link for a user with an account, and for nobody else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-let-in-'));
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), BASE_URL: 'https://vault.example.in' };
  try {
    await run(process.execPath, [entry, 'seed'], { env });
    const { stdout } = await run(process.execPath, [entry, 'let-in', 'Asha@example.in', '--two-step-off'], {
      env,
    });
    assert.match(stdout, /^https:\/\/vault\.example\.in\/reset-password\?token=[\w-]{43}\n$/);
    const { stdout: queue } = await run(process.execPath, [entry, 'jobs'], { env });
    assert.not.match(queue, /two_step|two-step/, 'nothing was turned off, so no e-mail says so');
    for (const email of ['foo', '', 'x y@z.in'])
      await run(process.execPath, [entry, 'seed', '--email', email], { env }).then(
        () => assert.unreachable('nobody could sign in with this address'),
        (error: { stderr: string }) => assert.match(error.stderr, /^--email: .*Nothing was made\.\n$/),
      );
    await run(process.execPath, [entry, 'let-in', 'nobody@example.in'], { env }).then(
      () => assert.unreachable(),
      (error: { stderr: string }) =>
        assert.is(error.stderr, 'Nobody here signs in with nobody@example.in.\n'),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
