/** What no office means to put into its vault: programs' own files beside the real ones, and files that are not there yet. */
export const NEVER = [
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
/** Where files are moved that have arrived. */
export const MOVED = 'Uploaded';

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
 * What a watched folder leaves out. `*` is any run of letters, `?` one, `**` crosses folders; case does not count. A pattern
 * with a slash is about the path below the watched folder, one without about any name on the way.
 */
export function leavesOut(patterns: readonly string[]): (subPath: string, name: string) => boolean {
  const used = patterns.filter((pattern) => pattern.trim() !== '');
  const names = [...NEVER, ...used.filter((pattern) => !/[/\\]/.test(pattern))].map(expression);
  const paths = used.filter((pattern) => /[/\\]/.test(pattern)).map(expression);
  return (subPath, name) => {
    if (subPath === '' && name.toLowerCase() === MOVED.toLowerCase()) return true;
    const path = subPath === '' ? name : `${subPath}/${name}`;
    return names.some((one) => one.test(name)) || paths.some((one) => one.test(path));
  };
}
