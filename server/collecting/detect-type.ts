import { ALLOWED_EXTENSIONS } from '#server/documents/contract.ts';
import { extensionOf } from '#server/text/extension.ts';
import { executableKind } from '#server/sandbox/executables.ts';
import { kindOf } from '#server/uploads/pages-to-pdf/detect-type.ts';
import type { Reason } from './contract.ts';

/** What is read of a file to tell what it is: its beginning, and the end of a PDF. */
export const HEAD_BYTES = 4096;
export const TAIL_BYTES = 64 * 1024;

/** Extensions that mean the same kind, or are made of it. */
const SAME: Record<string, string> = {
  jpg: 'jpg jpeg',
  tif: 'tif tiff',
  heic: 'heic heif',
  zip: 'zip docx xlsx xlsm xlsb pptx ods odt odp zipx',
  ole: 'doc xls ppt msg',
};
/** What must begin in its own way, or is not what its name says. */
const KNOWN_BEGINNINGS = new Set(
  'pdf jpg jpeg png gif webp tif tiff heic heif zip docx xlsx xlsm pptx'.split(' '),
);
/** Under another name these are what they are all the same: the name is set right. */
const RENAMED = new Set(['pdf', 'jpg', 'png', 'gif', 'webp', 'tif', 'heic']);

export type Look =
  | { refused: Extract<Reason, 'empty' | 'program' | 'not_what_it_says' | 'kind'> }
  | { name: string; isPhoto: boolean; locked: boolean };

const PAPERS = new Set('pdf jpg jpeg png gif webp tif tiff heic heif'.split(' '));

/** Whether a file that `look` has named is a PDF or a picture. */
export const isPaper = (name: string): boolean => PAPERS.has(extensionOf(name));

const PHOTOS = new Set(['jpg', 'png', 'webp', 'heic']);

/**
 * What a file is, by its bytes rather than by its name. A photograph or PDF under a wrong name gets the right one; what
 * pretends to be one, and every program, is refused.
 */
export function look(name: string, size: number, head: Buffer, tail: Buffer): Look {
  if (size === 0) return { refused: 'empty' };
  if (executableKind(head) !== null) return { refused: 'program' };
  const said = extensionOf(name);
  const kind = kindOf(head);
  const agrees = kind !== null && (SAME[kind] ?? kind).split(' ').includes(said);
  if (!agrees && kind !== null && RENAMED.has(kind)) {
    const stem = KNOWN_BEGINNINGS.has(said) ? name.slice(0, -said.length - 1) : name;
    return { name: `${stem}.${kind}`, isPhoto: PHOTOS.has(kind), locked: false };
  }
  if (!ALLOWED_EXTENSIONS.has(said)) return { refused: 'kind' };
  if (!agrees && KNOWN_BEGINNINGS.has(said)) {
    // A locked workbook is wrapped in a container of the older kind.
    if (kind === 'ole' && /^(?:docx|xlsx|xlsm|pptx)$/.test(said))
      return { name, isPhoto: false, locked: true };
    return { refused: 'not_what_it_says' };
  }
  const locked = kind === 'pdf' && (head.includes('/Encrypt') || tail.includes('/Encrypt'));
  return { name, isPhoto: kind !== null && PHOTOS.has(kind), locked };
}
