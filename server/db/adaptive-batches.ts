/** The time that one transaction may take: everybody else who writes waits for it. */
const TARGET_MS = 12;
const MIN_ROWS = 24;
const MAX_ROWS = 400;

/**
 * Sizes the batches of work that is split into short transactions. The cost of a row depends on its name, on the indexes and on the
 * other load of the disk, so the duration of each batch determines the number of rows in the next.
 */
export function createAdaptiveBatches(): <T>(batch: (rows: number) => Promise<T>) => Promise<T> {
  let rows = 2 * MIN_ROWS;
  return async (batch) => {
    const startedAt = performance.now();
    const result = await batch(rows);
    const factor = Math.min(1.5, TARGET_MS / (performance.now() - startedAt));
    rows = Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.round(rows * factor)));
    return result;
  };
}
