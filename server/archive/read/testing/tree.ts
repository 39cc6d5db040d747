import { buffer } from 'node:stream/consumers';
import type { BlobStore } from '#storage/blobs.ts';
import { readDirectory } from '../directory.ts';
import type { Plan } from '../../extract/plan.ts';
import { planOf } from '../../extract/plan.ts';
import { folderPath } from '../selection.ts';
import { blobSource } from '../source.ts';
import { unpack } from '../../extract/unpack.ts';

export interface Unpacked {
  plan: Plan;
  /** Paths to contents as latin1, folders ending in `/` with ''. */
  tree: Record<string, string>;
}

/** Unpacks an archive from a sealed blob into sealed blobs, and reads the contents back. */
export async function unpackAll(blobs: BlobStore, archive: Buffer, password?: string): Promise<Unpacked> {
  const { Readable } = await import('node:stream');
  const { id, size } = await blobs.put(Readable.from([archive], { objectMode: false }));
  const source = blobSource(blobs, id, size);
  try {
    const plan = await planOf(await readDirectory(source));
    const signal = new AbortController().signal;
    const entries = plan.files.map(({ entry }) => entry);
    const stored = await unpack(entries, {
      source,
      blobs,
      password,
      signal,
      progress: () => {},
      onHead: () => {},
    });
    const tree: Record<string, string> = {};
    for (const n of plan.folders.keys()) tree[`${folderPath(plan, n)}/`] = '';
    for (const [n, { folder, name }] of plan.files.entries()) {
      tree[[...(folder < 0 ? [] : [folderPath(plan, folder)]), name].join('/')] = (
        await buffer(await blobs.get(stored[n]!.id))
      ).toString('latin1');
      await blobs.delete(stored[n]!.id);
    }
    return { plan, tree };
  } finally {
    source.close();
    await blobs.delete(id);
  }
}
