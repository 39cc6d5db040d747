export interface Places {
  /** Jobs at once, of all firms and of one. */
  slots: number;
  perFirm: number;
}

/** Something that waits for a place; a lower id has waited longer. */
export interface Waiting {
  id: number;
  /** Null is the server itself, which counts as one more firm. */
  firm_id: number | null;
}

/**
 * The places in which jobs of one kind run. Each kind has its own, so that one which is slow or hangs holds up no
 * other. Whose turn it is: the firm that has the fewest running, then the one served longest ago, then who came first.
 */
export function createWorkerPool({ slots, perFirm }: Places) {
  const busy = new Map<number | null, number>();
  const served = new Map<number | null, number>();
  let taken = 0;
  let turns = 0;
  const running = ({ firm_id }: Waiting) => busy.get(firm_id) ?? 0;
  const last = ({ firm_id }: Waiting) => served.get(firm_id) ?? 0;

  return {
    /** Who takes the next place; undefined when there is none for any of them. */
    next<T extends Waiting>(waiting: readonly T[]): T | undefined {
      if (taken >= slots) return undefined;
      return waiting
        .filter((one) => running(one) < perFirm)
        .reduce<T | undefined>((first, one) => {
          if (!first) return one;
          const order = running(one) - running(first) || last(one) - last(first) || one.id - first.id;
          return order < 0 ? one : first;
        }, undefined);
    },
    enter(one: Waiting): void {
      taken += 1;
      turns += 1;
      busy.set(one.firm_id, running(one) + 1);
      served.set(one.firm_id, turns);
    },
    leave(one: Waiting): void {
      taken -= 1;
      busy.set(one.firm_id, running(one) - 1);
    },
  };
}
export type WorkerPool = ReturnType<typeof createWorkerPool>;
