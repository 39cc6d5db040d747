import { createHearers } from './hearers.ts';
import type { Processes } from './processes.ts';

/** The only process that works on a database: it tells itself, at once, and its turns are in memory. */
export function oneProcess(): Processes {
  const hearers = createHearers();
  const taken = new Set<string>();
  let place = 0;
  return {
    several: false,
    place: () => place,
    tell: (topic, said) => hearers.pass(topic, said, (place += 1)),
    hear: hearers.hear,
    missed() {},
    async turn(name) {
      if (taken.has(name)) return null;
      taken.add(name);
      return async () => {
        if (taken.delete(name)) hearers.pass('free', name, place);
      };
    },
    isGone: async () => true,
  };
}
