import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** All tests of the server take longer than a run of CI may: each commit runs one of so many shares of those beside the core. */
const SHARES = 6;

/** The number of commits up to this one; 0 without git, as in an unpacked release. */
function commitCount(): number {
  try {
    const output = execFileSync('git', ['rev-list', '--count', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(output);
  } catch {
    return 0;
  }
}

const share = commitCount() % SHARES;

/** By a hash of the path, so that files of one room, which take about as long, are spread over the shares. */
export const isInShare = (path: string): boolean =>
  createHash('sha256').update(path).digest().readUInt32BE(0) % SHARES === share;
