import { isPdf } from '#server/pdf/is-pdf.ts';
import { isCompound, isZip } from '#server/previews/convert/limits.ts';
import { decodePage, encodingOf } from '#server/previews/convert/text.ts';
import { PICTURE_TYPES } from '../contract.ts';
import type { FileText } from './contract.ts';
import type { Budget } from './limits.ts';
import { Refused } from './limits.ts';

const PACKAGES = new Set(['docx', 'pptx', 'odt', 'odp', 'ods']);
const BOOKS = new Set(['xlsx', 'xlsm', 'xlsb', 'xls']);
const MAILS = new Set(['eml', 'msg']);
const PICTURES: ReadonlySet<string> = new Set(PICTURE_TYPES);
/** Bytes of plain text that are read; in UTF-8 four letters of Hindi may take twelve. */
const PLAIN_MAX_BYTES = 16 * 1024 * 1024;

function plain(text: string, budget: Budget): FileText {
  // A binary file with the name of a text is full of control characters.
  const odd = text.slice(0, 4000).match(/(?!\s)[\p{Cc}\uFFFD]/gu)?.length ?? 0;
  if (odd > 20) throw new Refused('not_this_type', 'It is no text.');
  return {
    kind: 'whole',
    pages: [{ page: 1, label: '', text: budget.take(text) }],
    count: 1,
    cut: budget.cut,
  };
}

async function readMarkup(bytes: Buffer, fileType: string, budget: Budget): Promise<FileText> {
  const { htmlText, xmlText, jsonText } = await import('./markup.ts');
  const part = bytes.subarray(0, PLAIN_MAX_BYTES);
  const text = new TextDecoder(encodingOf(part)).decode(part);
  if (fileType === 'json') return plain(jsonText(text), budget);
  return /^\s*<(?:!doctype html|html)/i.test(text) || fileType === 'html' || fileType === 'htm'
    ? plain(htmlText(decodePage(part)), budget)
    : plain(xmlText(text), budget);
}

/**
 * Reads the text of a file. Its first bytes decide its format, since names are often wrong; the extension decides
 * where they do not.
 * @throws {Refused}
 */
export async function readFile(
  bytes: Buffer,
  fileType: string,
  budget: Budget,
  passwords: readonly string[] = [],
): Promise<FileText> {
  if (bytes.length < 4) return plain(bytes.toString(), budget);
  // Each reader is loaded on demand.
  if (isPdf(bytes, fileType)) return (await import('./pdf.ts')).readPdf(bytes, budget, passwords);
  if (PICTURES.has(fileType)) return (await import('./picture.ts')).readPicture(bytes, fileType, budget);
  const zipped = isZip(bytes);
  if (fileType === 'pdf') throw new Refused('not_this_type', 'It is no PDF.');
  if (zipped && PACKAGES.has(fileType))
    return (await import('./package.ts')).readPackage(bytes, fileType, budget);
  if (zipped && !BOOKS.has(fileType)) throw new Refused('not_this_type', 'It is a ZIP file.');
  if (isCompound(bytes) && PACKAGES.has(fileType)) {
    const { checkUnlocked, Locked } = await import('#server/previews/convert/limits.ts');
    try {
      checkUnlocked(bytes);
    } catch (error) {
      if (error instanceof Locked) throw new Refused('locked', error.message);
    }
    throw new Refused('not_this_type', 'It is of an older version of Office.');
  }
  const head = bytes.toString('latin1', 0, 64).replace(/^\xef\xbb\xbf/, '');
  if (head.startsWith('{\\rtf')) {
    const { rtfText } = await import('./rtf.ts');
    return plain(rtfText(bytes.toString('latin1', 0, PLAIN_MAX_BYTES)), budget);
  }
  if (PACKAGES.has(fileType)) throw new Refused('not_this_type', 'It is no package.');
  if (MAILS.has(fileType) || (isCompound(bytes) && !BOOKS.has(fileType)))
    return (await import('./mail.ts')).readMessage(bytes, budget);
  const isMarkup = /^\s*</.test(head.replaceAll('\0', '').replace(/^[\xfe\xff]+/, ''));
  const isOldBinary = bytes[0] === 0x09 && bytes[1]! <= 8;
  if (BOOKS.has(fileType) && (zipped || isCompound(bytes) || isOldBinary))
    return (await import('./sheet.ts')).readWorkbook(bytes, budget);
  // Accounting programs and banks use the extension .xls for HTML, XML and plain text.
  if (isMarkup || /^(?:json|html?|xml|xbrl)$/.test(fileType)) return readMarkup(bytes, fileType, budget);
  const part = bytes.subarray(0, PLAIN_MAX_BYTES);
  if (part.length < bytes.length) budget.cut ??= 'size';
  return plain(new TextDecoder(encodingOf(part)).decode(part), budget);
}
