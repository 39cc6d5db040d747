import type { ExtractionView } from '#server/archive/contract.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';

/** What an extraction did not take, each with its reason. */
export function LeftOutDialog({ one, onClose }: { one: ExtractionView; onClose: () => void }) {
  const more = one.skipped_count - one.skipped.length;
  return (
    <Dialog title={`Left out of ${one.file_name}`} isOpen onOpenChange={onClose} size="md" isDismissable>
      <DialogBody>
        <ul className="flex flex-col divide-y divide-line">
          {one.skipped.map(({ path, reason }, n) => (
            // oxlint-disable-next-line react/no-array-index-key -- two entries may have one path
            <li key={n} className="py-2">
              <p className="font-medium break-all">{path}</p>
              <p className="text-sm text-muted">{reason}</p>
            </li>
          ))}
          {more > 0 && <li className="py-2 text-sm text-muted">And {more} more…</li>}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
