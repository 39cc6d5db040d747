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
