import { servedAs } from '#server/http/content-type.ts';
import type { Entry } from './tree.ts';
import { DAV_NS, escapeXml, propertyXml } from './xml.ts';

/** Namespace of Windows' own properties. */
export const WIN_NS = 'urn:schemas-microsoft-com:';

/** Facts beside the entry itself: the quota, and its locks. */
export interface EntryFacts {
  quota: { used: number; left: number } | null;
  /** The `activelock` elements of an entry. */
  locks: (entry: Entry) => string;
}

type Value = (entry: Entry, about: EntryFacts) => string | null;

const changedAt = ({ original_at, modified_at }: Entry): string => original_at ?? modified_at;
const httpDate = (iso: string): string => new Date(iso).toUTCString();

/** Half of the content's hash: unique enough, and some programs have little room for tags. */
export const etagValue = (sha256: string): string => sha256.slice(0, 32);
export const etagOf = ({ type, sha256 }: Pick<Entry, 'type' | 'sha256'>): string | null =>
  type === 'file' ? `"${etagValue(sha256 ?? 'empty')}"` : null;

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

/** The properties of `allprop`, by namespace and name; null where an entry lacks one. */
const DEFAULT_PROPERTIES: Record<string, Value> = {
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

/** Properties returned only when requested by name. */
const EXTRA_PROPERTIES: Record<string, Value> = {
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

const ALL = new Map(Object.entries({ ...DEFAULT_PROPERTIES, ...EXTRA_PROPERTIES }));

export interface PropertyName {
  ns: string;
  name: string;
}
export const keyOf = ({ ns, name }: PropertyName): string => `${ns} ${name}`;
export const isLive = (property: PropertyName): boolean => ALL.has(keyOf(property));

/** The requested properties: all (plus these), their names, or these alone. */
export interface PropfindRequest {
  mode: 'all' | 'names' | 'some';
  properties: PropertyName[];
}

const split = (key: string): PropertyName => {
  const separator = key.lastIndexOf(' ');
  return { ns: key.slice(0, separator), name: key.slice(separator + 1) };
};
const DEFAULT_NAMES = Object.keys(DEFAULT_PROPERTIES).map(split);

interface Serializer {
  open: string;
  close: string;
  empty: string;
  key: string;
  value: Value | undefined;
}

/** Serializers of the requested properties, prepared once per response. */
export function serializersOf({ mode, properties }: PropfindRequest): Serializer[] {
  const wanted = mode === 'some' ? properties : [...DEFAULT_NAMES, ...properties];
  const once = new Map(wanted.map((property) => [keyOf(property), property]));
  return Array.from(once, ([key, { ns, name }]) => {
    const [open, close] = propertyXml(ns, name, '\0').split('\0') as [string, string];
    return { open, close, empty: propertyXml(ns, name), key, value: ALL.get(key) };
  });
}

/** One entry of a multistatus response. @param dead dead properties by `keyOf`, serialized. */
export function responseXml(
  href: string,
  entry: Entry,
  { mode }: PropfindRequest,
  serializers: readonly Serializer[],
  about: EntryFacts,
  dead: ReadonlyMap<string, string> | undefined,
  brief: boolean,
): string {
  let found = '';
  let lacking = '';
  for (const { open, close, empty, key, value } of serializers) {
    const text = value ? value(entry, about) : (dead?.get(key) ?? null);
    if (text === null) lacking += empty;
    else found += mode === 'names' || text === '' ? empty : open + text + close;
  }
  if (dead && mode !== 'some')
    for (const [key, text] of dead) {
      const { ns, name } = split(key);
      found += propertyXml(ns, name, mode === 'names' ? '' : text);
    }
  // Only properties that were requested by name are reported as missing.
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
