import { encode } from 'uqr';
import { PAGE } from '#server/pdf/page-size.ts';
import { momentInWords } from '#server/text/day-in-india.ts';
import { wordsOf } from './words.ts';

const GREY = '#4b5563';
const LEFT = PAGE.margin;
const WIDTH = PAGE.width - 2 * PAGE.margin;
const QR = 150;
const OVERLAP = 0.15;

interface SheetFacts {
  appName: string;
  baseUrl: string;
  /** The 32 bytes of the master key. */
  secret: Buffer;
  keyId: string;
  now: Date;
}

const OPENS =
  'Whoever has this sheet and a backup, or a copy of the data folder, can read every document of every firm on this ' +
  'server. Whoever has the sheet alone can read nothing. Without it, or the key itself, no backup can be opened by anybody.';
const KEEPING =
  'Print it, and keep it where cheques and deeds are kept: in a safe or a locker, in a sealed envelope, away from the server and from the ' +
  'backups. Do not photograph it, e-mail it or store it in the vault. Delete the file once it is printed. It stays valid until the key is replaced.';
const USING = [
  'Install Almirah on a new machine, and make the disk, share or bucket with the backups available there.',
  'Run  npm run admin -- backups restore NEW_DATA_FOLDER --from PLACE_OF_THE_BACKUPS',
  'Type the words in their order when it asks, or scan the code and paste what it holds. A word that is mistyped is named.',
  'Start the server with DATA_DIR=NEW_DATA_FOLDER. Everybody signs in as before.',
];

/** The recovery sheet: the key as words and as a QR code, with instructions. One A4 page, as PDF. */
export async function recoverySheet({ appName, baseUrl, secret, keyId, now }: SheetFacts): Promise<Buffer> {
  // Imported on demand: the drawing library is large, and sheets are rare.
  const { onePage } = await import('#server/pdf/sheet.ts');
  const words = wordsOf(secret);
  return onePage(`${appName} recovery sheet`, (sheet) => {
    const paragraph = (text: string, y: number): number => sheet.text(text, LEFT, y, { width: WIDTH });
    const title = (text: string, y: number): number =>
      sheet.text(text, LEFT, y, { size: 11, bold: true }) + 2;

    sheet.text('Recovery sheet', LEFT, 48, { size: 22, bold: true });
    let y = sheet.text(`${appName}, ${baseUrl}`, LEFT, 84, { size: 11 });
    y = sheet.text(`Made on ${momentInWords(now)}. Key ${keyId}`, LEFT, y, { color: GREY });
    sheet.rule(y + 8);
    y = title('What it opens', y + 20);
    y = title('How to keep it', paragraph(OPENS, y) + 8);
    y = title('The words', paragraph(KEEPING, y) + 8);

    const top = y + 4;
    const column = (WIDTH - QR - 24) / 3;
    for (const [index, word] of words.entries()) {
      const x = LEFT + Math.floor(index / 8) * column;
      const line = top + (index % 8) * 20;
      sheet.text(`${index + 1}.`, x + 18, line, { size: 9, color: GREY, align: 'right' });
      sheet.text(word, x + 24, line - 2, { size: 12, bold: true });
    }
    const { data, size } = encode(words.join(' '), { ecc: 'M', border: 0 });
    const dot = QR / size;
    for (const [row, dots] of data.entries())
      for (const [index, dark] of dots.entries())
        // Slightly larger than its cell, to avoid thin white lines between the modules of the QR code.
        if (dark)
          sheet.block(PAGE.width - LEFT - QR + index * dot, top + row * dot, dot + OVERLAP, dot + OVERLAP);

    y = title('How to use it', top + 8 * 20 + 16);
    for (const [index, step] of USING.entries()) {
      sheet.text(`${index + 1}.`, LEFT, y, { color: GREY });
      y = sheet.text(step, LEFT + 16, y, { width: WIDTH - 16 }) + 3;
    }
    sheet.rule(800);
    sheet.text(`${appName} recovery sheet · key ${keyId}`, LEFT, 806, { size: 7.5, color: GREY });
  });
}
