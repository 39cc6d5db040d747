import { confirm } from '../../lib/confirm.ts';
import { plural } from '../../lib/format.ts';
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
      toast.error('Nothing was uploaded', {
        description: 'Close what is open over the page, then drop the files again.',
      });
      return;
    }
    collectDrop(event.dataTransfer).then(offer, () =>
      toast.error('The dropped files could not be read. Please try again.'),
    );
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
  const what = files.length > 0 ? plural(files.length, 'file') : plural(emptyFolders.length, 'folder');
  const any = files.length + emptyFolders.length > 0;
  const yes =
    !any ||
    (await confirm({
      title: `Upload ${what} to My Drive?`,
      body: 'This screen is not a folder. To put files into a folder, open the folder and drop them there.',
      action: `Upload ${what}`,
    }));
  const refused = yes && upload(collected, { parentId: null, clientId: null });
  if (refused) toast.error(refused);
}
