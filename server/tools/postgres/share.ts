import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** The tests outside the core are divided into this many shares, of which each commit runs one, since all take too long for a run of CI. */
const SHARE_COUNT = 12;

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

const currentShare = commitCount() % SHARE_COUNT;

/** By a hash of the path, so that the files of one room, which take about equally long, are spread over the shares. */
export const isInShare = (path: string): boolean =>
  createHash('sha256').update(path).digest().readUInt32BE(0) % SHARE_COUNT === currentShare;
