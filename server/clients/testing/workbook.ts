import { forge } from '../../archive/unzip/testing/forge.ts';

/** A ZIP of these parts, by name. */
export const zip = (parts: Record<string, string | Buffer>): Buffer =>
  forge(Object.entries(parts).map(([name, data]) => ({ name, data })));

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
