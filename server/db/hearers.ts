import type { Told } from './processes.ts';

type Any = (said: never, place: number) => void;

/** Who hears what, in this process. */
export function createHearers() {
  const all = new Map<keyof Told, Any[]>();
  return {
    hear(topic: keyof Told, heard: Any): void {
      all.set(topic, [...(all.get(topic) ?? []), heard]);
    },
    pass(topic: keyof Told, said: unknown, place: number): void {
      for (const heard of all.get(topic) ?? []) heard(said as never, place);
    },
  };
}
