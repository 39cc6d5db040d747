import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '#storage/durable.ts';
import { parseSecret, readIfThere } from '#storage/keys.ts';

/**
 * Names the files outside the data folder that held the plain key before it was moved, until they are removed: a stick may not be plugged
 * in at that moment, or be read-only, and nothing else would remember it.
 */
export const leftPath = (dataDir: string): string => join(dataDir, 'master.key.left');

export async function readLeft(dataDir: string): Promise<string[]> {
  const text = (await readIfThere(leftPath(dataDir)))?.toString();
  return text ? text.split('\n').filter(Boolean) : [];
}

async function writeLeft(dataDir: string, paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await writeDurably(leftPath(dataDir), paths.map((path) => `${path}\n`).join(''));
  else await rm(leftPath(dataDir), { force: true });
}

export async function noteLeft(dataDir: string, path: string): Promise<void> {
  await writeLeft(dataDir, [...new Set([...(await readLeft(dataDir)), path])]);
}

/**
 * Removes the files that held the key before, and forgets those that hold another one by now.
 * @param isKept whether a path leads to the file that holds the key from now on.
 * @param wipe removes a file.
 */
export async function removeLeft(
  dataDir: string,
  secret: Buffer,
  isKept: (path: string) => Promise<boolean>,
  wipe: (path: string) => Promise<void>,
): Promise<void> {
  const paths = await readLeft(dataDir);
  if (paths.length === 0) return;
  const left: string[] = [];
  for (const path of paths) {
    if (await isKept(path)) continue;
    try {
      const found = await readIfThere(path);
      if (found && holds(found, secret, path)) await wipe(path);
      else if (!found) left.push(path);
    } catch {
      left.push(path);
    }
  }
  await writeLeft(dataDir, left);
}

function holds(found: Buffer, secret: Buffer, path: string): boolean {
  try {
    return parseSecret(found, path).equals(secret);
  } catch {
    return false;
  }
}
