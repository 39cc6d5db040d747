import type { ProcessMessages } from './processes.ts';

type AnySubscriber = (message: never, sequence: number) => void;

/** The subscriptions of this process, by topic. */
export function createSubscribers() {
  const byTopic = new Map<keyof ProcessMessages, AnySubscriber[]>();
  return {
    subscribe(topic: keyof ProcessMessages, subscriber: AnySubscriber): void {
      byTopic.set(topic, [...(byTopic.get(topic) ?? []), subscriber]);
    },
    deliver(topic: keyof ProcessMessages, message: unknown, sequence: number): void {
      for (const subscriber of byTopic.get(topic) ?? []) subscriber(message as never, sequence);
    },
  };
}
