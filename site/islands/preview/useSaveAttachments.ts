import { useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import type { SavedAttachments } from '#server/uploads/attachments/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/preview.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { driveHref, parseDriveUrl } from '../../lib/driveLocation.ts';
import { openPage } from '../../lib/navigation.ts';
import { toast } from '../../lib/toast.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { useItemScreen } from '../items/ItemListModel.ts';

/** Long enough to read the toast and to decide. */
const SHOWN_MS = 8000;

/** Saves attachments of an e-mail in its folder, on the server, and tells what was saved. */
export function useSaveAttachments(item: ItemView) {
  const { folder, find, preview, openDialog, refresh } = useItemScreen();
  /** The place of the attachment that is being saved. */
  const [saving, setSaving] = useState<number | 'all' | null>(null);

  function show([first, ...others]: SavedAttachments['saved']) {
    if (!first) return;
    const { id, parent_id } = first;
    const here = parseDriveUrl(new URL(location.href));
    // Only the open folder can select several.
    if (!here || here.search || here.client || here.folderId !== parent_id)
      return openPage(driveHref({ folderId: parent_id, highlightId: id }));
    if (here.previewId !== null) preview(null, { replace: true });
    const beside = others.filter((other) => other.parent_id === parent_id);
    find(id, { type: 'restore', focus: id, selected: [id, ...beside.map((other) => other.id)] });
  }

  function report({ saved, refused }: SavedAttachments) {
    const added = saved.filter(({ earlier }) => !earlier);
    // Those that were saved before may lie elsewhere by now.
    const all = [...added, ...saved.filter(({ earlier }) => earlier)];
    const [first] = all;
    if (first) {
      const name = truncateMiddle(first.name);
      const to = item.path === null ? folder.name : item.path.split(' / ').at(-1) || common.myDrive;
      const before = saved.length - added.length;
      const title =
        added.length === 0 ? t.savedBefore(before, name) : t.saved(added.length, name, truncateMiddle(to));
      const renamed = added.flatMap(({ attachment, name }) =>
        attachment === name ? [] : [{ attachment: truncateMiddle(attachment), name: truncateMiddle(name) }],
      );
      const notes = [
        renamed.length > 0 && t.savedAs(renamed),
        added.length > 0 && before > 0 && t.othersSavedBefore(before),
      ].filter(Boolean);
      const options = {
        duration: SHOWN_MS,
        ...(notes.length > 0 && { description: notes.join(' ') }),
        action: { label: t.showSaved, onClick: () => show(all) },
      };
      if (added.length > 0) toast.success(title, options);
      else toast.info(title, options);
    }
    if (refused.length > 0)
      openDialog({ dialog: 'failures', title: t.notSaved(refused.length), failures: refused });
  }

  return {
    saving,
    async save(which: number | 'all'): Promise<void> {
      if (saving !== null) return;
      setSaving(which);
      try {
        const request = { attachments: which === 'all' ? null : [which] };
        const result = await api.post<SavedAttachments>(
          `/api/documents/${item.id}/attachments/save`,
          request,
        );
        await refresh();
        report(result);
      } catch (error) {
        toast.error(messageOf(error, t.saveFailed));
      }
      setSaving(null);
    },
  };
}
