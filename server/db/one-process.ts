import type { Processes } from './processes.ts';
import { createSubscribers } from './subscribers.ts';

/** `Processes` for a process that serves alone: messages are delivered synchronously, and locks are held in memory. */
export function oneProcess(): Processes {
  const { subscribe, deliver } = createSubscribers();
  const locked = new Set<string>();
  let sequence = 0;
  return {
    several: false,
    lastSequence: () => sequence,
    publish: (topic, message) => deliver(topic, message, (sequence += 1)),
    subscribe,
    onMissed() {},
    async tryLock(name) {
      if (locked.has(name)) return null;
      locked.add(name);
      return async () => {
        if (locked.delete(name)) deliver('free', name, sequence);
      };
    },
    isDead: async () => true,
  };
}
