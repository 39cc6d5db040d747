import type { ItemView } from '#server/documents/contract.ts';
import { PAGES_MAX } from '#server/uploads/contract.ts';
import * as t from '#messages/pagesToPdf.ts';
import { authHeaders } from '../../lib/api.ts';
import { uniqueKey } from '../../lib/uniqueKey.ts';
import { refused, unreachable } from '../uploads/send.ts';

/** A picture to convert into a page. */
export interface Page {
  key: string;
  file: File;
  /** Degrees clockwise. */
  turn: number;
}

export interface PagesTarget {
  parentId: number | null;
  /** The folder's name. */
  folder: string;
}

const PICTURE = /\.(?:jpe?g|png|webp|heic|heif|gif|tiff?)$/i;
export const isPicture = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  type === '' || type === 'application/octet-stream' ? PICTURE.test(name) : /^image\/(?!svg)/.test(type);

export const pageOf = (file: File): Page => ({ key: uniqueKey(), file, turn: 0 });

/** Appends pictures; `message` is about files that were left out, or ''. */
export function withMore(pages: readonly Page[], files: readonly File[]): { pages: Page[]; message: string } {
  const good = files.filter(isPicture);
  const all = [...pages, ...good.map(pageOf)];
  if (all.length > PAGES_MAX) return { pages: all.slice(0, PAGES_MAX), message: t.tooMany(PAGES_MAX) };
  return { pages: all, message: good.length < files.length ? t.notPictures(files.length - good.length) : '' };
}

export const turned = (pages: readonly Page[], index: number): Page[] =>
  pages.map((page, other) => (other === index ? { ...page, turn: (page.turn + 90) % 360 } : page));

/** The pages with the one at `from` moved to `to`. */
export function moved(pages: readonly Page[], from: number, to: number): Page[] {
  const page = pages[from];
  return page && to >= 0 && to < pages.length ? pages.toSpliced(from, 1).toSpliced(to, 0, page) : [...pages];
}

/** `Scan 2026-11-23 09.30`, in this device's local time. */
export function defaultName(now = new Date()): string {
  const two = (figure: number) => String(figure).padStart(2, '0');
  return t.defaultName(
    `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`,
    `${two(now.getHours())}.${two(now.getMinutes())}`,
  );
}

interface PdfRequest {
  name: string;
  parentId: number | null;
  clientId: number | null;
  /** A UUID, the same when the request is repeated: a PDF whose response was lost is not saved twice. */
  key: string;
}

/**
 * Uploads the pictures, and resolves to the PDF made of them. `onProgress` gets the uploaded share, from 0 to 1.
 * @throws {UploadError}
 */
export async function savePages(
  pages: readonly Page[],
  { name, parentId, clientId, key }: PdfRequest,
  onProgress: (part: number) => void,
): Promise<ItemView> {
  const headers = await authHeaders('POST');
  const form = new FormData();
  form.set('name', name);
  form.set('upload_key', key);
  form.set('turns', pages.map(({ turn }) => turn).join(','));
  if (parentId !== null) form.set('parent_id', String(parentId));
  if (clientId !== null) form.set('client_id', String(clientId));
  // The files follow the fields, so that the server knows the destination before it reads the bytes.
  for (const { file } of pages) form.append('page', file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/api/documents/pages');
    for (const [header, value] of Object.entries({ ...headers, Accept: 'application/json' }))
      request.setRequestHeader(header, value);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('load', () => {
      if (request.status !== 201) return reject(refused(request.status, request.responseText));
      return resolve((JSON.parse(request.responseText) as { data: ItemView }).data);
    });
    request.addEventListener('error', () => reject(unreachable()));
    request.send(form);
  });
}
