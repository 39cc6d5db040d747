import { servedAs } from '#server/http/content-type.ts';
import type { Entry } from './tree.ts';
import { DAV_NS, escapeXml, written } from './xml.ts';

/** Windows' own properties. */
export const WIN_NS = 'urn:schemas-microsoft-com:';

/** What stands beside entries: how much room there is, and who has locked what. */
export interface About {
  quota: { used: number; left: number } | null;
  /** `activelock` elements of an entry. */
  locks: (entry: Entry) => string;
}

type Value = (entry: Entry, about: About) => string | null;

const changedAt = ({ original_at, modified_at }: Entry): string => original_at ?? modified_at;
const httpDate = (iso: string): string => new Date(iso).toUTCString();

/** Half of the content's hash: as good as all of it, and programs have little room for tags. */
export const tagOf = (sha256: string): string => sha256.slice(0, 32);
export const etagOf = ({ type, sha256 }: Pick<Entry, 'type' | 'sha256'>): string | null =>
  type === 'file' ? `"${tagOf(sha256 ?? 'empty')}"` : null;

const ofFile =
  (value: Value): Value =>
  (entry, about) =>
    entry.type === 'file' ? value(entry, about) : null;

const SUPPORTED = ['exclusive', 'shared']
  .map(
    (scope) =>
      `<d:lockentry><d:lockscope><d:${scope}/></d:lockscope><d:locktype><d:write/></d:locktype></d:lockentry>`,
  )
  .join('');

/** What is answered of each entry, by namespace and name; null where it has none. */
const LIVE: Record<string, Value> = {
  [`${DAV_NS} resourcetype`]: ({ type }) => (type === 'folder' ? '<d:collection/>' : ''),
  [`${DAV_NS} displayname`]: ({ name }) => escapeXml(name),
  [`${DAV_NS} getcontentlength`]: ofFile(({ file_size }) => String(file_size ?? 0)),
  [`${DAV_NS} getcontenttype`]: ofFile(({ file_type }) => escapeXml(servedAs(file_type).type)),
  [`${DAV_NS} getetag`]: ofFile((entry) => etagOf(entry)),
  [`${DAV_NS} getlastmodified`]: (entry) => httpDate(changedAt(entry)),
  [`${DAV_NS} creationdate`]: ({ created_at }) => created_at,
  [`${DAV_NS} lockdiscovery`]: (entry, { locks }) => locks(entry),
  [`${DAV_NS} supportedlock`]: () => SUPPORTED,
};

/** Answered only where they are asked for by name. */
const ASKED: Record<string, Value> = {
  [`${DAV_NS} quota-available-bytes`]: ({ type }, { quota }) =>
    type === 'folder' && quota ? String(quota.left) : null,
  [`${DAV_NS} quota-used-bytes`]: ({ type }, { quota }) =>
    type === 'folder' && quota ? String(quota.used) : null,
  [`${DAV_NS} iscollection`]: ({ type }) => (type === 'folder' ? '1' : '0'),
  [`${DAV_NS} ishidden`]: ({ scratch }) => (scratch ? '1' : '0'),
  [`${WIN_NS} Win32CreationTime`]: ({ created_at }) => httpDate(created_at),
  [`${WIN_NS} Win32LastModifiedTime`]: (entry) => httpDate(changedAt(entry)),
  [`${WIN_NS} Win32FileAttributes`]: ({ type, scratch }) =>
    type === 'folder' ? '00000010' : scratch ? '00000022' : '00000020',
};

const ALL = new Map(Object.entries({ ...LIVE, ...ASKED }));

/** A property's name and namespace. */
export interface PropertyName {
  ns: string;
  name: string;
}
export const keyOf = ({ ns, name }: PropertyName): string => `${ns} ${name}`;
export const isLive = (property: PropertyName): boolean => ALL.has(keyOf(property));

/** What is asked of each entry: those by name, or with `all` what one usually wants and these as well. */
export interface Asked {
  mode: 'all' | 'names' | 'some';
  properties: PropertyName[];
}

const split = (key: string): PropertyName => {
  const at = key.lastIndexOf(' ');
  return { ns: key.slice(0, at), name: key.slice(at + 1) };
};
const USUAL = Object.keys(LIVE).map(split);

interface Writer {
  open: string;
  close: string;
  empty: string;
  key: string;
  value: Value | undefined;
}

/** Prepared once for all entries of an answer. */
export function writersOf({ mode, properties }: Asked): Writer[] {
  const wanted = mode === 'some' ? properties : [...USUAL, ...properties];
  const once = new Map(wanted.map((property) => [keyOf(property), property]));
  return Array.from(once, ([key, { ns, name }]) => {
    const [open, close] = written(ns, name, '\0').split('\0') as [string, string];
    return { open, close, empty: written(ns, name), key, value: ALL.get(key) };
  });
}

/**
 * One entry of a multistatus answer.
 * @param kept properties that programs have set on it, by `keyOf`, with their values written out.
 */
export function response(
  href: string,
  entry: Entry,
  { mode }: Asked,
  writers: readonly Writer[],
  about: About,
  kept: ReadonlyMap<string, string> | undefined,
  brief: boolean,
): string {
  let found = '';
  let lacking = '';
  for (const { open, close, empty, key, value } of writers) {
    const text = value ? value(entry, about) : (kept?.get(key) ?? null);
    if (text === null) lacking += empty;
    else found += mode === 'names' || text === '' ? empty : open + text + close;
  }
  if (kept && mode !== 'some')
    for (const [key, text] of kept) {
      const { ns, name } = split(key);
      found += written(ns, name, mode === 'names' ? '' : text);
    }
  // What nobody has asked for is not missed.
  const missed = mode === 'some' && lacking !== '' && !brief;
  return (
    `<d:response><d:href>${href}</d:href>` +
    (found !== '' || !missed
      ? `<d:propstat><d:prop>${found}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>`
      : '') +
    (missed
      ? `<d:propstat><d:prop>${lacking}</d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>`
      : '') +
    '</d:response>\n'
  );
}
