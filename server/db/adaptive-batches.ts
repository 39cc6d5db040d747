/** Milliseconds that one transaction may take: whoever wants the database meanwhile waits for so long. */
const TARGET = 12;
const FEWEST = 24;
const MOST = 400;

/**
 * For work in short transactions. What a row costs hangs on its name, on the indexes and on what else the disk does,
 * so each batch is told how many rows to take by how long the one before took.
 */
export function createAdaptiveBatches(): <T>(batch: (rows: number) => Promise<T>) => Promise<T> {
  let rows = 2 * FEWEST;
  return async (batch) => {
    const began = performance.now();
    const done = await batch(rows);
    const share = Math.min(1.5, TARGET / (performance.now() - began));
    rows = Math.min(MOST, Math.max(FEWEST, Math.round(rows * share)));
    return done;
  };
}
