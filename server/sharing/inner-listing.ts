import { Readable } from 'node:stream';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { AppError } from '#server/http/errors.ts';
import type { Generated } from '#server/http/send.ts';
import { hasInnerPages } from '#server/previews/contract.ts';
import { extensionOf } from '#server/text/extension.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { Inside, RecipientItem, InnerRef } from './contract.ts';
import type { SharingDependencies } from './dependencies.ts';

/** Entries that a page lists; the complete file can be downloaded. */
const MAX_LISTED = 200;
const EMAIL_TYPES = new Set(['eml', 'msg']);
const isEmail = (fileType: string | null): boolean => EMAIL_TYPES.has(fileType ?? '');

/** The extension, or null. */
export const typeOf = (name: string): string | null => extensionOf(name) || null;

async function listContents(
  { archiveViewer, previews }: SharingDependencies,
  actor: Actor,
  item: RecipientItem,
  path: string,
) {
  const { id, file_type } = item;
  const shows = may(actor, 'documents.download');
  if (isEmail(file_type)) {
    const all = await previews.attachments(actor, id);
    if (all.length === 0) return null;
    const entries = all.slice(0, MAX_LISTED).map(({ index, name, size }) => ({
      name,
      type: 'file' as const,
      file_type: typeOf(name),
      size: formatBytes(size),
      key: String(index),
      locked: false,
      shown: shows && hasInnerPages(typeOf(name), size),
    }));
    return { of: 'mail' as const, path: '', entries, more: all.length - entries.length };
  }
  const found = await archiveViewer.entries(actor, id, { path, search: '', offset: 0, limit: MAX_LISTED });
  const entries = found.entries.map((entry) => ({
    name: entry.name,
    type: entry.type,
    file_type: entry.file_type,
    size: entry.formatted_size,
    key: entry.path,
    locked: entry.encrypted,
    shown: shows && entry.type === 'file' && !entry.encrypted && hasInnerPages(entry.file_type, entry.size),
  }));
  return { of: 'zip' as const, path, entries, more: found.total - entries.length };
}

/** The contents of a ZIP or an e-mail; null for other files and for unreadable ones. */
export async function insideOf(
  dependencies: SharingDependencies,
  actor: Actor,
  item: RecipientItem,
  path: string,
): Promise<Inside | null> {
  if (item.file_type !== 'zip' && !isEmail(item.file_type)) return null;
  try {
    return await listContents(dependencies, actor, item, path);
  } catch (error) {
    if (error instanceof AppError && error.status < 500)
      return path === '' ? null : insideOf(dependencies, actor, item, '');
    throw error;
  }
}

/**
 * The bytes of a part of a file; the caller checks permissions and records the download. @throws {AppError} 403, 404,
 * 422.
 */
export async function within(
  { archiveViewer, previews }: SharingDependencies,
  actor: Actor,
  itemId: number,
  wanted: InnerRef,
): Promise<Generated> {
  if ('entry' in wanted) {
    return archiveViewer.file(actor, { itemId, path: wanted.entry, password: undefined });
  }
  const { name, bytes } = await previews.attachment(actor, itemId, wanted.attachment);
  const open = async () => Readable.from([bytes]);
  return { name, type: 'application/octet-stream', size: bytes.length, open };
}
