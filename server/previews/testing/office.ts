import { burn } from '@kenjiuno/msgreader/lib/Burner.js';
import { zip } from '../../sheets/testing/workbook.ts';

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

export const run = (text: string, how = '') =>
  `<w:r>${how && `<w:rPr>${how}</w:rPr>`}<w:t>${text}</w:t></w:r>`;
export const paragraph = (inner: string, how = '') => `<w:p>${how && `<w:pPr>${how}</w:pPr>`}${inner}</w:p>`;

/** A Word document with an XML body; `relations` adds relationships by id (type and target), external unless in `media/`. */
export const docx = (
  body: string,
  {
    relations = {},
    media = {},
  }: { relations?: Record<string, [string, string]>; media?: Record<string, Buffer> } = {},
): Buffer =>
  zip({
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${Object.entries(
      relations,
    )
      .map(
        ([id, [type, target]]) =>
          `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}" ${target.startsWith('media/') ? '' : 'TargetMode="External"'}/>`,
      )
      .join('')}</Relationships>`,
    'word/document.xml': `${XML}<w:document ${WORD} xmlns:r="${OFFICE}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${body}</w:body></w:document>`,
    ...Object.fromEntries(Object.entries(media).map(([name, data]) => [`word/media/${name}`, data])),
  });

/** A run with a picture: embedded by `r:embed` or linked by `r:link`. */
export const drawing = (how: string) =>
  `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="Signature"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip ${how}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;

export interface SheetParts {
  rows: string;
  hidden?: boolean;
  dimension?: string;
}

/** A workbook whose cells reference their format by its position in `formats`, from 1: `<c r="A1" s="1"><v>5</v></c>`. */
export function workbook(sheets: Record<string, SheetParts>, formats: readonly string[] = []): Buffer {
  const names = Object.keys(sheets);
  const each = (line: (name: string, number: number) => string) =>
    names.map((name, index) => line(name, index + 1)).join('');
  const quoted = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('>', '&gt;');
  return zip({
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${each((_, index) => `<Override PartName="/xl/worksheets/sheet${index}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets>${each((name, index) => `<sheet name="${name}" sheetId="${index}" ${sheets[name]?.hidden ? 'state="hidden"' : ''} r:id="rId${index}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each((_, index) => `<Relationship Id="rId${index}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${index}.xml"/>`)}<Relationship Id="rId99" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet xmlns="${SHEETS}"><numFmts count="${formats.length}">${formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${quoted(code)}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, index) => `<xf numFmtId="${164 + index}" applyNumberFormat="1"/>`).join('')}<xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${XML}<worksheet xmlns="${SHEETS}">${sheets[name]?.dimension ? `<dimension ref="${sheets[name].dimension}"/>` : ''}<sheetData>${sheets[name]?.rows}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** A compound file like a document encrypted by Office; its content is filler. */
export const encrypted = (seed: string): Buffer =>
  Buffer.from(
    burn([
      { name: 'Root Entry', type: 5, length: 0, children: [1] },
      {
        name: 'EncryptedPackage',
        type: 2,
        length: 5000,
        binaryProvider: () => new Uint8Array(5000).fill(seed.length),
      },
    ] as never),
  );
