import type { ZipEntry } from './zip.ts';

/** The path of each entry, with a slash after a folder's. Paths are unique ignoring case, since Windows and macOS would overwrite one with the other. */
export function uniquePaths(entries: readonly Pick<ZipEntry, 'path' | 'type'>[]): string[] {
  const key = (path: string) => path.normalize('NFC').toLowerCase();
  const taken = new Set(
    entries.filter(({ type }) => type === 'folder').map(({ path }) => key(path.join('/'))),
  );
  /** The number after the last one that was given, by path: from 2 for each, thousands of equal names would take minutes. */
  const numbers = new Map<string, number>();
  return entries.map(({ path, type }) => {
    const joinedPath = path.join('/');
    if (type === 'folder') return `${joinedPath}/`;
    const name = path.at(-1)!;
    const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
    let unique = joinedPath;
    let number = numbers.get(key(joinedPath)) ?? 2;
    for (; taken.has(key(unique)); number += 1)
      unique = [...path.slice(0, -1), `${name.slice(0, dot)} (${number})${name.slice(dot)}`].join('/');
    numbers.set(key(joinedPath), number);
    taken.add(key(unique));
    return unique;
  });
}
