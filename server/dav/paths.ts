import { badRequest } from '#server/http/errors.ts';

/** Where the drive stands. */
export const DAV = '/dav';

const UNREADABLE = 'The address of the file cannot be read. Names may not contain / or \\.';

/**
 * The names of a path below `/dav`, outermost first; none is the drive itself.
 * @throws {AppError} 400 for what leads out of it, or is no path.
 */
export function namesIn(pathname: string): string[] {
  const parts = pathname.slice(DAV.length).split('/').filter(Boolean);
  return parts.map((part) => {
    let name: string;
    try {
      name = decodeURIComponent(part);
    } catch {
      throw badRequest(UNREADABLE);
    }
    if (name === '.' || name === '..' || /[/\\\0]/.test(name)) throw badRequest(UNREADABLE);
    return name.normalize('NFC');
  });
}

/** The path of what these names lead to; a folder's ends with a slash. */
export const hrefOf = (names: readonly string[], isFolder: boolean): string =>
  `${[DAV, ...names.map(encodeURIComponent)].join('/')}${isFolder ? '/' : ''}`;

/**
 * The names in a whole address or path, as the headers Destination and If hold one; null for an address of another server.
 * @param hosts what this server is called, with the port.
 * @throws {AppError} 400.
 */
export function namesInAddress(address: string, hosts: readonly string[]): string[] | null {
  const found = /^(?:https?:\/\/([^/]*))?(\/[^?#]*)$/i.exec(address.trim());
  if (!found) throw badRequest(UNREADABLE);
  const [, host, path = ''] = found;
  if (host !== undefined && !hosts.includes(host.toLowerCase().replace(/^[^@]*@/, ''))) return null;
  if (path !== DAV && !path.startsWith(`${DAV}/`)) return null;
  return namesIn(path);
}
