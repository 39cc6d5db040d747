import { createHash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create } from 'tar';
import type { Release } from './release.ts';
import { RELEASE_FILE, SIGNATURE_FILE, signRelease } from './release.ts';

/**
 * Packs files of a folder into a signed archive; the same files always give the same bytes.
 * @param files paths below `folder`.
 * @returns the SHA-256 of the archive as hex.
 */
export async function packRelease(
  folder: string,
  files: readonly string[],
  archive: string,
  facts: Pick<Release, 'version' | 'node' | 'commit' | 'made_at' | 'migrations'>,
  key: KeyObject,
): Promise<string> {
  const paths = files.toSorted();
  const listed: Release['files'] = {};
  for (const path of paths) {
    const bytes = await readFile(join(folder, path));
    listed[path] = { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }
  const release: Release = { product: 'almirah', format: 1, ...facts, files: listed };
  const list = Buffer.from(`${JSON.stringify(release, null, 1)}\n`);
  const head = [RELEASE_FILE, SIGNATURE_FILE];
  await writeFile(join(folder, RELEASE_FILE), list);
  await writeFile(join(folder, SIGNATURE_FILE), `${signRelease(list, key)}\n`);
  try {
    await create(
      {
        file: archive,
        cwd: folder,
        gzip: { level: 9, portable: true },
        portable: true,
        mtime: new Date(facts.made_at),
        noDirRecurse: true,
        strict: true,
        // Independent of the umask of the machine that packs.
        onWriteEntry(entry) {
          if (entry.stat) entry.stat.mode = 0o100644;
        },
      },
      // A leading @ would name another archive.
      [...head, ...paths].map((path) => (path.startsWith('@') ? `./${path}` : path)),
    );
  } finally {
    for (const name of head) await rm(join(folder, name), { force: true });
  }
  return createHash('sha256')
    .update(await readFile(archive))
    .digest('hex');
}
