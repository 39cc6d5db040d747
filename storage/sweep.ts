import type { BlobId, BlobStore } from './blobs.ts';

interface SweepOptions {
  blobs: BlobStore;
  /** Which of these ids something refers to. Asked for `batch` ids at a time. */
  findReferenced(ids: BlobId[]): Promise<Set<BlobId>>;
  /**
   * Younger blobs are kept, in milliseconds: an upload stores its bytes before the row that names them.
   * Take longer than the slowest step between the two, with room for a clock that was set back.
   */
  graceMs: number;
  now?: () => Date;
  batch?: number;
}

/** Deletes the blobs that nothing refers to, and returns their ids. */
export async function sweep({
  blobs,
  findReferenced,
  graceMs,
  now = () => new Date(),
  batch = 500,
}: SweepOptions): Promise<BlobId[]> {
  const newest = now().getTime() - graceMs;
  const deleted: BlobId[] = [];

  async function deleteUnreferenced(ids: BlobId[]): Promise<void> {
    if (ids.length === 0) return;
    const referenced = await findReferenced(ids);
    for (const id of ids) {
      if (referenced.has(id)) continue;
      await blobs.delete(id);
      deleted.push(id);
    }
  }

  let candidates: BlobId[] = [];
  for await (const { id, storedAt } of blobs.list()) {
    if (storedAt.getTime() > newest) continue;
    candidates.push(id);
    if (candidates.length < batch) continue;
    await deleteUnreferenced(candidates);
    candidates = [];
  }
  await deleteUnreferenced(candidates);
  return deleted;
}
