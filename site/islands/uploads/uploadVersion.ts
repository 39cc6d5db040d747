import type { ItemView } from '#server/documents/contract.ts';
import { isSameType, otherType } from '#server/documents/contract.ts';
import type { VersionList } from '#server/documents/versions/contract.ts';
import { extensionOf } from '#server/text/extension.ts';
import { mayNotUpload } from '#messages/uploads.ts';
import { api } from '../../lib/api.ts';
import { may } from '../../lib/permissions.ts';
import { refusalOf } from './check.ts';
import { hasSameContent } from './compare.ts';
import { queue } from './uploads.ts';

/** Queues a file as a new version of an item. @returns why it is refused, in words; else null. */
export function uploadVersion(file: File, { id, name, file_type }: ItemView): string | null {
  if (!may('documents.write')) return mayNotUpload;
  if (file_type === null || !isSameType(file_type, extensionOf(file.name)))
    return otherType(name, file.name, file_type ?? '');
  const refusal = refusalOf(file);
  if (refusal) return refusal;
  const ids = queue.add([{ file, clientId: null, parentId: null, versionOf: { id, name } }], {
    preparing: true,
  });
  void isContentOf(id, file).then((alreadyThere) =>
    queue.release(ids, new Map(ids.map((added) => [added, { alreadyThere }]))),
  );
  return null;
}

/** Whether the item has this content now; false if that is unknown. */
async function isContentOf(id: number, file: File): Promise<boolean> {
  try {
    const { current } = await api.get<VersionList>(`/api/documents/${id}/versions`);
    return current.file_size === file.size && (await hasSameContent(file, current));
  } catch {
    // A file that cannot be read or is gone fails, with its message, when it is sent.
    return false;
  }
}
