export interface SlotLimits {
  /** The maximum of concurrent jobs, of all firms and of one firm. */
  slots: number;
  perFirm: number;
}

/** A job that waits for a slot; a lower id has waited longer. */
export interface Waiting {
  id: number;
  /** Null for the server itself, which counts as one more firm. */
  firm_id: number | null;
}

/**
 * The slots for jobs of one kind. Each kind has slots of its own, so that a slow kind delays no other. Scheduling is fair between firms:
 * first the firm with the fewest running jobs, then the one served least recently, then the oldest job.
 */
export function createFairSlots({ slots, perFirm }: SlotLimits) {
  /** By firm: the running jobs, and the number of the last acquisition. */
  const runningByFirm = new Map<number | null, number>();
  const servedByFirm = new Map<number | null, number>();
  let acquired = 0;
  let acquisitions = 0;
  const running = ({ firm_id }: Waiting) => runningByFirm.get(firm_id) ?? 0;
  const lastServed = ({ firm_id }: Waiting) => servedByFirm.get(firm_id) ?? 0;

  return {
    /** The job to start next; undefined if there is no slot for any of them. */
    next<T extends Waiting>(waiting: readonly T[]): T | undefined {
      if (acquired >= slots) return undefined;
      return waiting
        .filter((job) => running(job) < perFirm)
        .reduce<T | undefined>((first, job) => {
          if (!first) return job;
          const order =
            running(job) - running(first) || lastServed(job) - lastServed(first) || job.id - first.id;
          return order < 0 ? job : first;
        }, undefined);
    },
    acquire(job: Waiting): void {
      acquired += 1;
      acquisitions += 1;
      runningByFirm.set(job.firm_id, running(job) + 1);
      servedByFirm.set(job.firm_id, acquisitions);
    },
    release(job: Waiting): void {
      acquired -= 1;
      runningByFirm.set(job.firm_id, running(job) - 1);
    },
  };
}
export type FairSlots = ReturnType<typeof createFairSlots>;
