import type { Sheet, Style } from '#server/pdf/sheet.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { dayInIndia, momentInWords } from '#server/text/day-in-india.ts';
import type { DestructionView } from './contract.ts';
import { dayToRead } from './day.ts';
import type { Destroyed } from './destroy.ts';
import { contentsOf } from './destroy.ts';

const LEFT = 48;
const RIGHT = 547;
const WIDTH = RIGHT - LEFT;
const BOTTOM = 780;
/** Points in which the name, place, rule and first content of a file usually fit. */
const ROOM_FOR_FILE = 40;
const GREY = '#4b5563';
const small = { size: 7.5, color: GREY };

type Certified = DestructionView & { firm_name: string };

export const certificateName = ({ id, confirmed_at }: DestructionView): string =>
  `certificate-of-destruction-${id}-${dayInIndia(new Date(confirmed_at))}.pdf`;

function head(sheet: Sheet, destruction: Certified): number {
  sheet.text('Certificate of destruction', LEFT, 48, { size: 20, bold: true });
  sheet.text(`No. ${destruction.id}`, RIGHT, 54, { bold: true, size: 11, align: 'right' });
  let y = sheet.text(destruction.firm_name, LEFT, 80, { size: 11, width: WIDTH });
  sheet.rule(y + 6);
  y += 16;
  const { files, stayed } = destruction;
  const facts = [
    [
      'Confirmed by',
      `${destruction.confirmed_by}, with the password, on ${momentInWords(new Date(destruction.confirmed_at))}`,
    ],
    ['Reason', destruction.reason],
    ['Completed', momentInWords(new Date(destruction.finished_at!))],
    [
      'Destroyed',
      `${files} file${files === 1 ? '' : 's'}, ${destruction.formatted_bytes} with earlier versions`,
    ],
    ...(stayed > 0
      ? [
          [
            'Kept',
            `${stayed} of the ${destruction.listed} files confirmed, since a hold, a seal or a change came in between`,
          ],
        ]
      : []),
    ['SHA-256 of the list', destruction.digest!],
  ] as [string, string][];
  for (const [name, value] of facts) {
    sheet.text(name, LEFT, y, { color: GREY });
    y = sheet.text(value, 160, y, { width: RIGHT - 160 }) + 2;
  }
  y = sheet.text(
    'The time for which the retention rules named below required these files to be kept had run out. They and all their earlier versions were deleted from the store, and cannot be restored from it. Backups made before keep them until those are deleted in their turn. The list that is hashed has a line for each content: SHA-256, bytes, place and name.',
    LEFT,
    y + 6,
    { ...small, width: WIDTH },
  );
  return y + 10;
}

/** A line about a file, indented, and what stands beside it in the margins. */
interface Line {
  text: string;
  style: Style;
  beside?: { number: number; size: string };
  /** Points below it. */
  gap?: number;
}

/** Draws the pages of a certificate one after another. A file with many versions goes on on the next page. */
function* pages(destruction: Certified, files: readonly Destroyed[]): Generator<(sheet: Sheet) => void> {
  let index = 0;
  let lines: Line[] = [];
  for (let page = 1; page === 1 || index < files.length || lines.length > 0; page += 1) {
    yield (sheet) => {
      let y = page === 1 ? head(sheet, destruction) : 48;
      sheet.rule(y);
      y += 8;
      while (y < BOTTOM) {
        if (lines.length === 0) {
          const file = files[index];
          if (!file || y >= BOTTOM - ROOM_FOR_FILE) break;
          index += 1;
          lines = linesOf(sheet, file, index);
        }
        y = drawLine(sheet, lines.shift()!, y);
      }
      sheet.rule(800);
      sheet.text(`Certificate of destruction No. ${destruction.id} · ${destruction.firm_name}`, LEFT, 806, {
        ...small,
        width: 420,
      });
      sheet.text(`Page ${page}`, RIGHT, 806, { ...small, align: 'right' });
    };
  }
}

function drawLine(sheet: Sheet, { text, style, beside, gap = 0 }: Line, y: number): number {
  if (beside) {
    sheet.text(`${beside.number}.`, LEFT, y, { size: 8, color: GREY });
    sheet.text(beside.size, RIGHT, y, { align: 'right' });
  }
  return sheet.text(text, LEFT + 32, y, style) + gap;
}

/** The name, the place and the rule of a file, and each of its contents. */
function linesOf(sheet: Sheet, file: Destroyed, number: number): Line[] {
  const wrapped = (text: string, style: Style, width = WIDTH - 32): Line[] =>
    sheet.lines(text, { ...style, width }).map((line) => ({ text: line, style }));
  const [first, ...more] = wrapped(file.name, { bold: true }, 380);
  const lines = [
    { ...first!, beside: { number, size: formatBytes(Number(file.file_size)) } },
    ...more,
    ...wrapped([file.client, file.path || 'My Drive'].filter(Boolean).join(' · '), small),
    ...wrapped(
      `${file.rule}, kept until ${dayToRead(file.until)} · destroyed ${momentInWords(new Date(file.destroyed_at))}`,
      small,
    ),
    ...contentsOf(file).flatMap(({ sha256, file_size, created_at }) => {
      const version =
        created_at === null
          ? ''
          : `, version of ${momentInWords(new Date(created_at))}, ${formatBytes(file_size)}`;
      return wrapped(`SHA-256 ${sha256 ?? 'not known'}${version}`, small);
    }),
  ];
  return [...lines.slice(0, -1), { ...lines.at(-1)!, gap: 6 }];
}

/** The certificate as a PDF, reproducible from the records. */
export async function certificatePdf(destruction: Certified, files: readonly Destroyed[]): Promise<Buffer> {
  // Imported on demand: the PDF library is large, and certificates are rare.
  const { manyPages } = await import('#server/pdf/sheet.ts');
  return manyPages(`Certificate of destruction ${destruction.id}`, pages(destruction, files));
}
