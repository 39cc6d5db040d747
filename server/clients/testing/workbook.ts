import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP of deflated parts, as small as a workbook can be. */
export function zip(parts: Record<string, string | Buffer>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(parts)) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(plain), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(plain.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, Buffer.from(name)]));
    bodies.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  const count = directory.length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...bodies, ...directory, Buffer.from('PK\x05\x06'), end]);
}

const PLAIN = '<?xml version="1.0"?>';
const SHEETS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
/** A workbook of sheets: names to rows, as XML. */
export function workbook(sheets: Record<string, string>): Buffer {
  const names = Object.keys(sheets);
  const each = (line: (name: string, number: number) => string) =>
    names.map((name, at) => line(name, at + 1)).join('');
  return zip({
    '[Content_Types].xml': `${PLAIN}<Types xmlns="${PACKAGE}/content-types"/>`,
    'xl/workbook.xml': `${PLAIN}<workbook ${SHEETS} xmlns:r="${OFFICE}"><sheets>${each((name, at) => `<sheet name="${name}" sheetId="${at}" r:id="rId${at}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${PLAIN}<Relationships xmlns="${PACKAGE}/relationships">${each((_, at) => `<Relationship Id="rId${at}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at}.xml"/>`)}</Relationships>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${PLAIN}<worksheet ${SHEETS}><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  });
}
export const inline = (ref: string, text: string) =>
  `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`;
/** A row of texts; an empty one has no cell. */
export const line = (row: number, ...texts: string[]) =>
  `<row r="${row}">${texts.map((text, at) => (text ? inline(`${'ABCDEFG'[at]}${row}`, text) : '')).join('')}</row>`;
