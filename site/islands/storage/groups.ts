import type { TypeStat } from '#server/dashboard/contract.ts';
import type { FileGroup } from '../../lib/fileGroup.ts';
import { fileGroup } from '../../lib/fileGroup.ts';

interface GroupTotal {
  group: FileGroup;
  size: number;
  count: number;
  /** The share of all used bytes, from 0 to 1. */
  share: number;
}

/** Sums the types by kind, the largest first. */
export function byGroup(types: readonly TypeStat[]): GroupTotal[] {
  const sums = new Map<FileGroup, { size: number; count: number }>();
  for (const { type, size, count } of types) {
    const group = fileGroup(type);
    const sum = sums.get(group) ?? { size: 0, count: 0 };
    sums.set(group, { size: sum.size + size, count: sum.count + count });
  }
  const all = types.reduce((total, { size }) => total + size, 0);
  return Array.from(sums, ([group, sum]) => ({
    group,
    ...sum,
    share: all === 0 ? 0 : sum.size / all,
  })).toSorted((a, b) => b.size - a.size);
}
