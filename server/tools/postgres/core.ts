import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { hasPostgres } from './server.ts';

const TEST_RUNNER = join(import.meta.dirname, '../test-postgres.ts');

/**
 * Repeats the tests of the rooms that have most SQL, and a share of the others, on a real PostgreSQL.
 * @returns whether all passed.
 */
export async function passesOnPostgres(): Promise<boolean> {
  if (!hasPostgres()) {
    process.stdout.write(
      'On PostgreSQL: skipped, since PostgreSQL is not installed. On Debian: apt-get install --no-install-recommends postgresql\n',
    );
    return true;
  }
  process.stdout.write('\nOn PostgreSQL:\n');
  const child = spawn(process.execPath, [TEST_RUNNER, '--core'], { stdio: 'inherit' });
  const stopChild = () => child.kill('SIGTERM');
  process.once('exit', stopChild);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('exit', stopChild);
  return code === 0;
}
