import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { hasPostgres } from './server.ts';

const TEST_RUNNER = join(import.meta.dirname, '../test-postgres.ts');

/** Repeats a share of the server's tests, a larger one of the rooms that have most SQL, on a real PostgreSQL. */
export async function testOnPostgres(): Promise<{ passed: boolean; output: string }> {
  if (!hasPostgres()) {
    const output =
      'Skipped, since PostgreSQL is not installed. On Debian: apt-get install --no-install-recommends postgresql\n';
    return { passed: true, output };
  }
  const child = spawn(process.execPath, [TEST_RUNNER, '--share'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const stopChild = () => child.kill('SIGTERM');
  process.once('exit', stopChild);
  const [output, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  process.off('exit', stopChild);
  return { passed: code === 0, output };
}
