import { isAbsolute, relative, sep } from 'node:path';
import type { WatchedFolder } from '#desktop/queue/folders.ts';

/** Files that are never uploaded: temporary files of programs, and incomplete downloads. */
const ALWAYS_EXCLUDED = [
  '~$*',
  '*.tmp',
  '*.temp',
  '*.part',
  '*.partial',
  '*.crdownload',
  '*.download',
  '.~lock.*',
  '.*',
  'desktop.ini',
  'thumbs.db',
  'ehthumbs.db',
  '$recycle.bin',
  'system volume information',
];
/** Name of the folder for uploaded files. */
export const UPLOADED_FOLDER = 'Uploaded';

const expression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .trim()
      .replaceAll('\\', '/')
      .replace(/[.+^${}()|[\]]/g, '\\$&')
      .replace(/\*+/g, (stars) => (stars.length > 1 ? '.*' : '[^/]*'))
      .replaceAll('?', '[^/]')}$`,
    'iu',
  );

/**
 * The exclusions of a watched folder. `*` matches within a name, `?` one character, `**` across folders;
 * case-insensitive. A pattern with a slash matches the path below the watched folder, one without any name in
 * it.
 */
export function createExclusion(patterns: readonly string[]): (subPath: string, name: string) => boolean {
  const used = patterns.filter((pattern) => pattern.trim() !== '');
  const names = [...ALWAYS_EXCLUDED, ...used.filter((pattern) => !/[/\\]/.test(pattern))].map(expression);
  const paths = used.filter((pattern) => /[/\\]/.test(pattern)).map(expression);
  return (subPath, name) => {
    if (subPath === '' && name.toLowerCase() === UPLOADED_FOLDER.toLowerCase()) return true;
    const path = subPath === '' ? name : `${subPath}/${name}`;
    return names.some((pattern) => pattern.test(name)) || paths.some((pattern) => pattern.test(path));
  };
}

/**
 * Tells of a file's path which place it has in a watched folder: the path to its folder there, with `/`, as a scan would find it.
 * null if a scan would not find it, since it lies elsewhere or is left out.
 */
export function createPlaces({
  path: root,
  sub_folders,
  leave_out,
}: Pick<WatchedFolder, 'path' | 'sub_folders' | 'leave_out'>): (path: string) => string | null {
  const isExcluded = createExclusion(leave_out);
  return (path) => {
    const below = relative(root, path);
    const names = below.split(sep);
    if (below === '' || names[0] === '..' || isAbsolute(below)) return null;
    if (sub_folders === 'none' && names.length > 1) return null;
    const above = (index: number) => names.slice(0, index).join('/');
    if (names.some((name, index) => isExcluded(above(index), name))) return null;
    return sub_folders === 'keep' ? above(names.length - 1) : '';
  };
}
