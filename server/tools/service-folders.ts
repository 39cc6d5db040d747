import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, basename } from 'node:path';
import { filesOfOthers, notOurs } from '../datadir/own-folder.ts';
import { Refused } from './refused.ts';

/** Folders that the service's sandbox hides, whatever their permissions: it has its own, or none of them. */
const HIDDEN = /^\/(?:home|root|run\/user|tmp|var\/tmp)(?:\/|$)/;
/** Folders of the system, in which all is given to the service's user: the machine would start no more. */
const SYSTEM =
  /^\/(?:(?:bin|boot|dev|etc|lib(?:32|64|x32)?|proc|run|sbin|sys|usr(?!\/local\/.)|var\/(?:cache|log|spool))(?:\/.*)?|var|var\/lib|opt)?$/;

/** The folder that a path leads to, through links, also where it is not there yet. */
function target(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(target(dirname(path)), basename(path));
  }
}

/** @throws {Refused} for a folder that the service may not see. */
export function requireVisible(folder: string, what: string): void {
  if (HIDDEN.test(target(folder)))
    throw new Refused(
      `${what} is ${folder}, which a service may not see (/home, /root and /tmp are hidden from it). ` +
        `${what === 'The program' ? `Move it: sudo mv ${folder} /opt/almirah` : 'Choose one such as /var/lib/almirah.'}`,
    );
}

/** @throws {Refused} for a folder that cannot be given to the service. */
export function requireUsable(folder: string, what: string): void {
  requireVisible(folder, what);
  if (SYSTEM.test(target(folder)))
    throw new Refused(
      `${what} is ${folder}, which belongs to the system, and would be given to the service with all that is in it. Choose a folder of ` +
        'its own, such as /var/lib/almirah.',
    );
}

/** @throws {Refused} for a data folder that the service may not see, or that has files of others in it. */
export async function requireOwn(dataDir: string): Promise<void> {
  requireUsable(dataDir, 'The data folder');
  const found = await stat(dataDir).catch(() => null);
  if (found && !found.isDirectory()) throw new Refused(`${dataDir} is a file. Give a folder.`);
  const others = await filesOfOthers(dataDir);
  if (others.length > 0) throw new Refused(notOurs(dataDir, others));
}
