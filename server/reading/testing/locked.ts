import { createHash } from 'node:crypto';

/** As the PDF format fills up passwords. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const ID = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const ALL_ALLOWED = -4;

const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();
const padded = (password: string): Buffer =>
  Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  let j = 0;
  const swap = (a: number, b: number) => ([state[a], state[b]] = [state[b]!, state[a]!]);
  for (let i = 0; i < 256; i += 1) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    swap(i, j);
  }
  let [a, b] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      a = (a + 1) & 255;
      b = (b + state[a]!) & 255;
      swap(a, b);
      return byte ^ state[(state[a]! + state[b]!) & 255]!;
    }),
  );
}

/** A PDF of one page that opens only with its password, in the oldest way to lock one. */
export function lockedPdf(password: string, lines: readonly string[]): Buffer {
  const owner = rc4(md5(padded(`${password} of the owner`)).subarray(0, 5), padded(password));
  const allowed = Buffer.alloc(4);
  allowed.writeInt32LE(ALL_ALLOWED);
  const key = md5(padded(password), owner, allowed, ID).subarray(0, 5);
  const user = rc4(key, PADDING);
  const sealed = (object: number, data: Buffer): Buffer =>
    rc4(md5(key, Buffer.from([object, 0, 0, 0, 0])).subarray(0, 10), data);
  const hex = (data: Buffer): string => `<${data.toString('hex')}>`;

  const content = `BT /F1 14 Tf 20 TL 72 760 Td\n${lines.map((line) => `(${line}) Tj T*`).join('\n')}\nET`;
  const stream = sealed(5, Buffer.from(content, 'latin1'));
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Count 1 /Kids [4 0 R] >>'),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
    Buffer.from(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>',
    ),
    Buffer.concat([
      Buffer.from(`<< /Length ${stream.length} >>\nstream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
    Buffer.from(`<< /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(user)} /P ${ALL_ALLOWED} >>`),
  ];
  const pieces = [Buffer.from('%PDF-1.4\n')];
  const offsets = objects.map((body, n) => {
    const offset = Buffer.concat(pieces).length;
    pieces.push(Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]));
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = Buffer.concat(pieces).length;
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Encrypt 6 0 R /ID [${hex(ID)} ${hex(ID)}] >>`;
  return Buffer.concat([...pieces, Buffer.from(`${table}${trailer}\nstartxref\n${start}\n%%EOF\n`)]);
}
