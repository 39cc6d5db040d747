import type { SkippedView } from '#server/archive/contract.ts';
import * as t from '#messages/archive.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';

export interface SkippedDialogProps {
  /** The archive's name. */
  name: string;
  skipped: readonly SkippedView[];
  skipped_count: number;
  onClose: () => void;
}

/** Lists the entries that an extraction skipped, each with its reason. */
export function SkippedDialog({ name, skipped, skipped_count, onClose }: SkippedDialogProps) {
  const more = skipped_count - skipped.length;
  return (
    <Dialog title={t.skippedIn(name)} isOpen onOpenChange={onClose} size="md" isDismissable>
      <DialogBody>
        <ul className="flex flex-col divide-y divide-line">
          {skipped.map(({ path, reason }, n) => (
            // oxlint-disable-next-line react/no-array-index-key -- two entries may have one path
            <li key={n} className="py-2">
              <p className="font-medium break-words">{path}</p>
              <p className="text-sm text-muted">{reason}</p>
            </li>
          ))}
          {more > 0 && <li className="py-2 text-sm text-muted">{common.andMore(more)}</li>}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onPress={onClose}>
          {common.close}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
