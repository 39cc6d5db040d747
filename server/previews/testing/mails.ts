import { burn } from '@kenjiuno/msgreader/lib/Burner.js';

/** An .eml file: header lines, then parts. */
export const eml = (
  headers: readonly string[],
  parts: readonly { head: readonly string[]; body: string }[],
): Buffer =>
  Buffer.from(
    [
      'MIME-Version: 1.0',
      ...headers,
      'Content-Type: multipart/mixed; boundary="cut"',
      '',
      ...parts.flatMap(({ head, body }) => ['--cut', ...head, '', body]),
      '--cut--',
      '',
    ].join('\r\n'),
  );

export const attached = (name: string, type: string, content: Buffer, more: readonly string[] = []) => ({
  head: [
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    ...more,
  ],
  body: content.toString('base64').replace(/.{76}/g, '$&\r\n'),
});

type Stream = [name: string, data: Buffer];
const [DIRECTORY, DOCUMENT, ROOT] = [1, 2, 5];
const text = (tag: string, value: string): Stream => [
  `__substg1.0_${tag}001F`,
  Buffer.from(value, 'utf16le'),
];
/** The property stream of an object with fixed-length values; `header` is the size of its header in bytes. */
function properties(header: number, values: readonly (readonly [tag: number, value: bigint])[]): Stream {
  const data = Buffer.alloc(header + values.length * 16);
  for (const [index, [tag, value]] of values.entries()) {
    data.writeUInt32LE(tag, header + index * 16);
    data.writeUInt32LE(6, header + index * 16 + 4);
    data.writeBigUInt64LE(value, header + index * 16 + 8);
  }
  return ['__properties_version1.0', data];
}
/** A Windows FILETIME: units of 100 ns since 1601. */
const fileTime = (iso: string) => (BigInt(Date.parse(iso)) + 11_644_473_600_000n) * 10_000n;

export interface OutlookMail {
  subject: string;
  from: { name: string; address: string };
  to: { name: string; address: string }[];
  sentAt: string;
  text?: string;
  html?: string;
  /** Uncompressed RTF. */
  rtf?: string;
  attachments?: { name: string; content: Buffer; contentId?: string }[];
}

/** RTF with the header of MS-OXRTFCP for uncompressed data. */
function unpackedRtf(rtf: string): Buffer {
  const head = Buffer.alloc(16);
  const body = Buffer.from(rtf, 'latin1');
  head.writeUInt32LE(body.length + 12, 0);
  head.writeUInt32LE(body.length, 4);
  head.write('MELA', 8, 'latin1');
  return Buffer.concat([head, body]);
}

/** An Outlook e-mail (.msg). */
export function msg(mail: OutlookMail): Buffer {
  const entries: {
    name: string;
    type: number;
    length: number;
    binaryProvider?: () => Uint8Array;
    children?: number[];
  }[] = [];
  const add = (name: string, type: number, data?: Buffer): number =>
    entries.push({
      name,
      type,
      length: data?.length ?? 0,
      ...(data ? { binaryProvider: () => new Uint8Array(data) } : { children: [] }),
    }) - 1;
  const root = add('Root Entry', ROOT);
  const fill = (into: number, streams: readonly Stream[]) => {
    for (const [name, data] of streams) entries[into]!.children!.push(add(name, DOCUMENT, data));
  };
  const folder = (name: string) => {
    const index = add(name, DIRECTORY);
    entries[root]!.children!.push(index);
    return index;
  };
  fill(root, [
    text('001A', 'IPM.Note'),
    text('0037', mail.subject),
    text('0C1A', mail.from.name),
    text('5D01', mail.from.address),
    ...(mail.text ? [text('1000', mail.text)] : []),
    ...(mail.html ? [['__substg1.0_10130102', Buffer.from(mail.html)] as Stream] : []),
    ...(mail.rtf ? [['__substg1.0_10090102', unpackedRtf(mail.rtf)] as Stream] : []),
    properties(32, [
      [0x00390040, fileTime(mail.sentAt)],
      [0x3fde0003, 65_001n],
    ]),
  ]);
  for (const [index, { name, address }] of mail.to.entries())
    fill(folder(`__recip_version1.0_#0000000${index}`), [
      text('3001', name),
      text('39FE', address),
      properties(8, [[0x0c150003, 1n]]),
    ]);
  for (const [index, { name, content, contentId }] of (mail.attachments ?? []).entries())
    fill(folder(`__attach_version1.0_#0000000${index}`), [
      text('3707', name),
      ...(contentId ? [text('3712', contentId)] : []),
      ['__substg1.0_37010102', content],
      properties(8, [[0x37050003, 1n]]),
    ]);
  return Buffer.from(burn(entries as never));
}
