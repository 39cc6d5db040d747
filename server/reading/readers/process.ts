import { isPdf } from '#server/pdf/is-pdf.ts';
import type { Recognised } from '#server/recognition/contract.ts';
import { recognise } from '#server/recognition/recognise.ts';
import { serveRequests } from '#server/sandbox/serve-requests.ts';
import { hasAadhaar } from '#server/text/aadhaar.ts';
import { unpackText, unpackWords } from '../stored-text.ts';
import type { FileText, PageText, ReadResponse, ReadRequest, StoredRequest } from './contract.ts';
import { addQrCodes } from './codes.ts';
import { Budget, Refused } from './limits.ts';
import { indexText } from './index-text.ts';
import { readFile } from './read.ts';
import { withScans } from './scanned.ts';

/** Recognises the document type and fields; a failing rule must not cost the text. */
function recognised({ pages }: FileText, fileType: string): Recognised | null {
  try {
    return recognise(pages, { fileType });
  } catch {
    return null;
  }
}

/** Adds QR codes of e-invoices; null where there are none, or on any error. */
async function withCodes(
  text: FileText,
  bytes: Buffer,
  fileType: string,
  result: Recognised,
  password: string,
): Promise<FileText | null> {
  if (!isPdf(bytes, fileType)) return null;
  return addQrCodes(text, bytes, result, password).catch(() => null);
}

async function readText({
  bytes: view,
  fileType,
  scanned,
  passwords,
  isRetry,
}: ReadRequest): Promise<ReadResponse> {
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  try {
    const budget = new Budget(isRetry);
    const read = await readFile(bytes, fileType, budget, passwords);
    const text = withScans(read, scanned, budget);
    const plain = recognised(text, fileType);
    const coded =
      plain && (await withCodes(text, bytes, fileType, plain, passwords[read.password ?? -1] ?? ''));
    return { ...indexText(text), recognised: coded ? recognised(coded, fileType) : plain };
  } catch (error) {
    // The message of a library is only for the log.
    const why = error instanceof Error ? error.message : String(error);
    return { refused: error instanceof Refused ? error.refusal : 'damaged', why };
  }
}

/** Aadhaar numbers are found by all their digits, which only the file has. */
async function renewText({ stored, fileType }: StoredRequest): Promise<ReadResponse> {
  const packed = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const { kind, pages: texts } = unpackText(packed);
  const words = unpackWords(packed);
  const pages = texts.map((page, index) => ({ ...page, ...words[index] }) as PageText);
  if (pages.some(({ text, label }) => hasAadhaar(text) || hasAadhaar(label))) return { needsFile: true };
  const text: FileText = { kind, pages, count: pages.length, cut: null };
  return { ...indexText(text), recognised: recognised(text, fileType) };
}

// Runs in the sandbox: it gets the bytes of one file, no key, no folder, and not whose file it is.
serveRequests((request: ReadRequest | StoredRequest) =>
  'stored' in request ? renewText(request) : readText(request),
);
