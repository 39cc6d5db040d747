import type { Applied } from '#server/templates/contract.ts';

const NOTHING: Applied = { clients: 0, created: 0, existing: 0, taken: 0, left_out: 0, problems: [] };
/** Problems that are shown by name. */
const SHOWN = 20;

export const sum = (a: Applied, b: Applied): Applied => ({
  clients: a.clients + b.clients,
  created: a.created + b.created,
  existing: a.existing + b.existing,
  taken: a.taken + b.taken,
  left_out: a.left_out + b.left_out,
  problems: [...a.problems, ...b.problems].slice(0, SHOWN),
});

/**
 * Asks for one batch of clients after the other, and says after each how many clients are done.
 * @param size clients of a batch.
 * @param stopped looked at before each batch: what was done until then stays.
 * @returns the sum of all answers. A batch in which no client is left (404) counts as left out.
 */
export async function inBatches(
  ids: readonly number[],
  size: number,
  ask: (batch: number[]) => Promise<Applied>,
  { stopped, done }: { stopped: () => boolean; done: (clients: number, so_far: Applied) => void },
): Promise<Applied> {
  let total = NOTHING;
  for (let at = 0; at < ids.length && !stopped(); at += size) {
    const batch = ids.slice(at, at + size);
    const answer = await ask(batch).catch((error: { status?: number }) => {
      if (error.status !== 404 || ids.length <= size) throw error;
      return { ...NOTHING, left_out: batch.length };
    });
    total = sum(total, answer);
    done(Math.min(at + size, ids.length), total);
  }
  return total;
}
