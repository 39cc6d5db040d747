import { ALLOWED_EXTENSIONS } from '#server/documents/contract.ts';
import { extensionOf } from '#server/text/extension.ts';
import { executableKind } from '#server/scanning/executables.ts';
import { detectType } from '#server/uploads/pages-to-pdf/detect-type.ts';
import type { Reason } from './contract.ts';

/** The bytes read to detect the type: the beginning, and the end of a PDF. */
export const HEAD_BYTES = 4096;
export const TAIL_BYTES = 64 * 1024;

/** Extensions by detected kind; several formats share a container. */
const EXTENSIONS_BY_KIND: Record<string, string> = {
  jpg: 'jpg jpeg',
  tif: 'tif tiff',
  heic: 'heic heif',
  zip: 'zip docx xlsx xlsm xlsb pptx ods odt odp zipx',
  ole: 'doc xls ppt msg',
};
/** Types with a known signature: a file without it is not what its name says. */
const TYPES_WITH_SIGNATURE = new Set(
  'pdf jpg jpeg png gif webp tif tiff heic heif zip docx xlsx xlsm pptx'.split(' '),
);
/** Kinds whose extension is corrected when the name is wrong. */
const RENAMED = new Set(['pdf', 'jpg', 'png', 'gif', 'webp', 'tif', 'heic']);

export type Look =
  | { refused: Extract<Reason, 'empty' | 'program' | 'not_what_it_says' | 'kind'> }
  | { name: string; isPhoto: boolean; locked: boolean };

const PAPERS = new Set('pdf jpg jpeg png gif webp tif tiff heic heif'.split(' '));

/** Whether a file that `look` has named is a PDF or an image. */
export const isPaper = (name: string): boolean => PAPERS.has(extensionOf(name));

const PHOTOS = new Set(['jpg', 'png', 'webp', 'heic']);

/**
 * Detects the type of a file by its bytes rather than its name. A photo or PDF with a wrong extension gets the right
 * one; other contradictions, and every program, are refused.
 */
export function look(name: string, size: number, head: Buffer, tail: Buffer): Look {
  if (size === 0) return { refused: 'empty' };
  if (executableKind(head) !== null) return { refused: 'program' };
  const extension = extensionOf(name);
  const kind = detectType(head, extension);
  const agrees = kind !== null && (EXTENSIONS_BY_KIND[kind] ?? kind).split(' ').includes(extension);
  if (!agrees && kind !== null && RENAMED.has(kind)) {
    const stem = TYPES_WITH_SIGNATURE.has(extension) ? name.slice(0, -extension.length - 1) : name;
    return { name: `${stem}.${kind}`, isPhoto: PHOTOS.has(kind), locked: false };
  }
  if (!ALLOWED_EXTENSIONS.has(extension)) return { refused: 'kind' };
  if (!agrees && TYPES_WITH_SIGNATURE.has(extension)) {
    // Password-protected Office files are wrapped in an OLE container.
    if (kind === 'ole' && /^(?:docx|xlsx|xlsm|pptx)$/.test(extension))
      return { name, isPhoto: false, locked: true };
    return { refused: 'not_what_it_says' };
  }
  const locked = kind === 'pdf' && (head.includes('/Encrypt') || tail.includes('/Encrypt'));
  return { name, isPhoto: kind !== null && PHOTOS.has(kind), locked };
}
