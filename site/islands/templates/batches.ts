import type { Applied } from '#server/templates/contract.ts';

const NOTHING: Applied = { clients: 0, created: 0, existing: 0, taken: 0, left_out: 0, problems: [] };
/** Problems that are listed. */
const MAX_PROBLEMS = 20;

export const sum = (a: Applied, b: Applied): Applied => ({
  clients: a.clients + b.clients,
  created: a.created + b.created,
  existing: a.existing + b.existing,
  taken: a.taken + b.taken,
  left_out: a.left_out + b.left_out,
  problems: [...a.problems, ...b.problems].slice(0, MAX_PROBLEMS),
});

/**
 * Calls the server for one batch of clients after the other, and reports the progress after each.
 * @param size clients per batch.
 * @param stopped checked before each batch; finished batches stay done.
 * @returns the sum of all results. A batch whose clients were all deleted (404) counts as left out.
 */
export async function inBatches(
  ids: readonly number[],
  size: number,
  send: (batch: number[]) => Promise<Applied>,
  { stopped, done }: { stopped: () => boolean; done: (clients: number, so_far: Applied) => void },
): Promise<Applied> {
  let total = NOTHING;
  for (let at = 0; at < ids.length && !stopped(); at += size) {
    const batch = ids.slice(at, at + size);
    const result = await send(batch).catch((error: { status?: number }) => {
      if (error.status !== 404 || ids.length <= size) throw error;
      return { ...NOTHING, left_out: batch.length };
    });
    total = sum(total, result);
    done(Math.min(at + size, ids.length), total);
  }
  return total;
}
