import type { ItemView } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/versions.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import VersionList from './VersionList.tsx';

/** The versions of a file, with their actions. */
export function VersionsDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  return (
    <Dialog title={t.versionsOf(item.name)} isOpen onOpenChange={onClose} isDismissable size="lg">
      <DialogBody>
        <VersionList item={item} />
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onPress={onClose}>
          {common.close}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
