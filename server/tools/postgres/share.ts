import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** The number of commits up to this one; 0 without git, as in an unpacked release. */
function commitCount(): number {
  try {
    const count = execFileSync('git', ['rev-list', '--count', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(count);
  } catch {
    return 0;
  }
}

const commits = commitCount();

/**
 * Whether a test file is in the share that this commit runs, of so many: all of them take too long for each run of CI. By a hash of the
 * path, so that the files of one room, which take about equally long, are spread over the shares.
 */
export const isInShare = (path: string, shares: number): boolean =>
  createHash('sha256').update(path).digest().readUInt32BE(0) % shares === commits % shares;
