import { forge } from '../../archive/read/testing/forge.ts';

/** A ZIP of these parts, by name. */
export const zip = (parts: Record<string, string | Buffer>): Buffer =>
  forge(Object.entries(parts).map(([name, data]) => ({ name, data })));

const PLAIN = '<?xml version="1.0"?>';
const SHEETS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

interface Extra {
  /** The part of shared texts, and that of styles, without the XML declaration. */
  strings?: string;
  styles?: string;
  from1904?: boolean;
}

/** The parts of a workbook of sheets: names to rows, as XML. */
export function parts(sheets: Record<string, string>, { strings, styles, from1904 }: Extra = {}) {
  const names = Object.keys(sheets);
  const each = (line: (name: string, number: number) => string) =>
    names.map((name, index) => line(name, index + 1)).join('');
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const properties = from1904 ? '<workbookPr date1904="1"/>' : '';
  return {
    '[Content_Types].xml': `${PLAIN}<Types xmlns="${PACKAGE}/content-types"/>`,
    'xl/workbook.xml': `${PLAIN}<workbook ${SHEETS} xmlns:r="${OFFICE}">${properties}<sheets>${each((name, index) => `<sheet name="${name}" sheetId="${index}" r:id="rId${index}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${PLAIN}<Relationships xmlns="${PACKAGE}/relationships">${each((_, index) => relation(`rId${index}`, 'worksheet', `worksheets/sheet${index}.xml`))}${strings ? relation('s', 'sharedStrings', 'sharedStrings.xml') : ''}${styles ? relation('t', 'styles', 'styles.xml') : ''}</Relationships>`,
    ...(strings && { 'xl/sharedStrings.xml': PLAIN + strings }),
    ...(styles && { 'xl/styles.xml': PLAIN + styles }),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${PLAIN}<worksheet ${SHEETS}><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  };
}

/** A workbook of sheets: names to rows, as XML. */
export const workbook = (sheets: Record<string, string>, extra: Extra = {}): Buffer =>
  zip(parts(sheets, extra));

export const inline = (ref: string, text: string) =>
  `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`;
/** A row of texts; an empty one has no cell. */
export const line = (row: number, ...texts: string[]) =>
  `<row r="${row}">${texts.map((text, index) => (text ? inline(`${'ABCDEFG'[index]}${row}`, text) : '')).join('')}</row>`;
