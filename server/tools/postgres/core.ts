import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { hasPostgres } from './server.ts';

const RUNNER = join(import.meta.dirname, '../test-postgres.ts');

/**
 * Runs the tests of the rooms that have most SQL, and a share of the others, once more on a real PostgreSQL.
 * @returns whether none failed.
 */
export async function passesOnPostgres(): Promise<boolean> {
  if (!hasPostgres()) {
    process.stdout.write(
      'On PostgreSQL: skipped, no PostgreSQL here. On Debian: apt-get install --no-install-recommends postgresql\n',
    );
    return true;
  }
  process.stdout.write('\nOn PostgreSQL:\n');
  const child = spawn(process.execPath, [RUNNER, '--core'], { stdio: 'inherit' });
  const stop = () => child.kill('SIGTERM');
  process.once('exit', stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('exit', stop);
  return code === 0;
}
