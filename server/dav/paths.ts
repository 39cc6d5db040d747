import { badRequest } from '#server/http/errors.ts';

/** Path prefix of the drive. */
export const DAV = '/dav';

const BROKEN_CODE =
  'The address of the file cannot be read: after a "%" in it belong two digits of UTF-8, and a "%" itself is written %25.';
const UNREADABLE = 'The address of the file cannot be read. Names may not contain / or \\.';

/**
 * The names of a path below `/dav`, outermost first; empty for the drive itself.
 * @throws {AppError} 400 for a malformed path, or one that leaves the drive.
 */
export function namesIn(pathname: string): string[] {
  const parts = pathname.slice(DAV.length).split('/').filter(Boolean);
  return parts.map((part) => {
    let name: string;
    try {
      name = decodeURIComponent(part);
    } catch {
      throw badRequest(BROKEN_CODE);
    }
    if (name === '.' || name === '..' || /[/\\\0]/.test(name)) throw badRequest(UNREADABLE);
    return name.normalize('NFC');
  });
}

/** The encoded path of these names; a folder's path ends with a slash. */
export const hrefOf = (names: readonly string[], isFolder: boolean): string =>
  `${[DAV, ...names.map(encodeURIComponent)].join('/')}${isFolder ? '/' : ''}`;

/**
 * The names in a URL or path of the Destination or If header; null for another server.
 * @param hosts names of this server, with the port.
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
