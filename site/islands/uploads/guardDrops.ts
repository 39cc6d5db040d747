import * as t from '#messages/uploads.ts';
import { confirm } from '../../lib/confirm.ts';
import { isDialogOpen } from '../../lib/overlay.ts';
import { toast } from '../../lib/toast.ts';
import type { Collected } from './collect.ts';
import { collectDrop } from './collect.ts';
import { upload } from './uploads.ts';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/**
 * Handles files dropped where nothing else does. Otherwise the browser would open them in place of the page, and running
 * uploads would be lost.
 * @returns unsubscribe.
 */
export function guardDrops(): () => void {
  const over = (event: DragEvent) => {
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
  };
  const drop = (event: DragEvent) => {
    if (event.defaultPrevented || !hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    if (isDialogOpen()) {
      toast.error(t.nothingUploaded, {
        description: t.closeFirst,
      });
      return;
    }
    collectDrop(event.dataTransfer).then(offer, () => toast.error(t.unreadable));
  };
  // On the window, so that the handlers of drop targets run first.
  addEventListener('dragover', over);
  addEventListener('drop', drop);
  return () => {
    removeEventListener('dragover', over);
    removeEventListener('drop', drop);
  };
}

async function offer(collected: Collected): Promise<void> {
  const { files, emptyFolders } = collected;
  const hasContent = files.length + emptyFolders.length > 0;
  const confirmed =
    !hasContent ||
    (await confirm({
      title:
        files.length > 0 ? t.uploadFilesQuestion(files.length) : t.uploadFoldersQuestion(emptyFolders.length),
      body: t.notAFolder,
      action: files.length > 0 ? t.uploadFiles(files.length) : t.uploadFolders(emptyFolders.length),
    }));
  const refused = confirmed && upload(collected, { parentId: null, clientId: null });
  if (refused) toast.error(refused);
}
