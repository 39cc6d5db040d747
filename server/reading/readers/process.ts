import type { Recognised } from '#server/recognition/contract.ts';
import { recognise } from '#server/recognition/recognise.ts';
import { serveRequests } from '#server/sandbox/serve-requests.ts';
import type { FileText, MadeText, ReadingOrder } from './contract.ts';
import { withPdfCodes } from './codes.ts';
import { Budget, Refused } from './limits.ts';
import { listed } from './listed.ts';
import { readFile } from './read.ts';
import { withScans } from './scanned.ts';

/** What the file is, by its text; a rule that stumbles costs nobody the text. */
function recognised({ pages }: FileText, fileType: string): Recognised | null {
  try {
    return recognise(pages, { fileType });
  } catch {
    return null;
  }
}

const PDF_HEAD = 1024;

/** The file with the QR codes of e-invoices on it; null where there are none. A code costs nobody the text either. */
async function codedPages(
  text: FileText,
  bytes: Buffer,
  found: Recognised,
  password: string,
): Promise<FileText | null> {
  if (!bytes.subarray(0, PDF_HEAD).includes('%PDF-')) return null;
  return withPdfCodes(text, bytes, found, password).catch(() => null);
}

async function made({ bytes: given, fileType, scanned, passwords, again }: ReadingOrder): Promise<MadeText> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  try {
    const budget = new Budget(again);
    const read = await readFile(bytes, fileType, budget, passwords);
    const text = withScans(read, scanned, budget);
    const plain = recognised(text, fileType);
    const coded = plain && (await codedPages(text, bytes, plain, passwords[read.password ?? -1] ?? ''));
    return { ...listed(text), recognised: coded ? recognised(coded, fileType) : plain };
  } catch (error) {
    // A library that stumbles over a file says so in its own words, of which only a log may know.
    const why = error instanceof Error ? error.message : String(error);
    return { refused: error instanceof Refused ? error.refusal : 'damaged', why };
  }
}

// A process of its own, which is given nothing but the file: no key, no folder, no word of whose it is.
serveRequests(made);
