import * as t from '#messages/uploads.ts';
import { confirm } from '../../lib/confirm.ts';
import { isDialogOpen } from '../../lib/overlay.ts';
import { toast } from '../../lib/toast.ts';
import type { Collected } from './collect.ts';
import { collectDrop } from './collect.ts';
import { upload } from './uploads.ts';

const bringsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/**
 * Takes files that are dropped where nothing waits for them. The browser would open them in the place of the page,
 * and whatever was under way would be gone.
 * @returns what ends it.
 */
export function guardDrops(): () => void {
  const over = (event: DragEvent) => {
    if (event.defaultPrevented || !bringsFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
  };
  const drop = (event: DragEvent) => {
    if (event.defaultPrevented || !bringsFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    if (isDialogOpen()) {
      toast.error(t.nothingUploaded, {
        description: t.closeFirst,
      });
      return;
    }
    collectDrop(event.dataTransfer).then(offer, () => toast.error(t.unreadable));
  };
  // The window is last in turn: whoever waits for files has taken them by then.
  addEventListener('dragover', over);
  addEventListener('drop', drop);
  return () => {
    removeEventListener('dragover', over);
    removeEventListener('drop', drop);
  };
}

async function offer(collected: Collected): Promise<void> {
  const { files, emptyFolders } = collected;
  const any = files.length + emptyFolders.length > 0;
  const yes =
    !any ||
    (await confirm({
      title:
        files.length > 0 ? t.uploadFilesQuestion(files.length) : t.uploadFoldersQuestion(emptyFolders.length),
      body: t.notAFolder,
      action: files.length > 0 ? t.uploadFiles(files.length) : t.uploadFolders(emptyFolders.length),
    }));
  const refused = yes && upload(collected, { parentId: null, clientId: null });
  if (refused) toast.error(refused);
}
