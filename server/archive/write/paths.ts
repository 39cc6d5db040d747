import type { ZipEntry } from './zip.ts';

/** Each entry's path, a folder's with a slash; no two alike ignoring case, as Windows and macOS would lay one over the other. */
export function uniquePaths(entries: readonly Pick<ZipEntry, 'path' | 'type'>[]): string[] {
  const key = (path: string) => path.normalize('NFC').toLowerCase();
  const taken = new Set(
    entries.filter(({ type }) => type === 'folder').map(({ path }) => key(path.join('/'))),
  );
  return entries.map(({ path, type }) => {
    const whole = path.join('/');
    if (type === 'folder') return `${whole}/`;
    const name = path.at(-1)!;
    const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
    let unique = whole;
    for (let n = 2; taken.has(key(unique)); n += 1) {
      unique = [...path.slice(0, -1), `${name.slice(0, dot)} (${n})${name.slice(dot)}`].join('/');
    }
    taken.add(key(unique));
    return unique;
  });
}
