import * as t from '#messages/uploadPanel.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import type { PendingQuestion } from '../../lib/questionQueue.ts';
import { refusalOf } from './check.ts';
import type { Refused } from './refused.ts';

/** The maximum number of lines. */
const MOST_LINES = 100;

/** Says which of the chosen files cannot be uploaded, each with its reasons, and offers to go on with the others. */
export default function RefusedDialog({
  question: { refused, others },
  answer,
}: PendingQuestion<Refused, boolean>) {
  return (
    <Dialog
      isOpen
      size="md"
      role="alertdialog"
      title={t.cannotUpload(refused.length)}
      onOpenChange={(open) => open || answer(false)}
    >
      <DialogBody>
        <ul aria-label={t.cannotUploadFiles} className="flex flex-col gap-1.5 break-words">
          {refused.slice(0, MOST_LINES).map((file, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two files may have one name
            <li key={index} className="text-danger-text">
              {refusalOf(file)}
            </li>
          ))}
          {refused.length > MOST_LINES && <li>{common.andMore(refused.length - MOST_LINES)}</li>}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button onPress={() => answer(false)}>{others > 0 ? common.cancel : common.close}</Button>
        {others > 0 && (
          <Button variant="primary" onPress={() => answer(true)}>
            {t.uploadOthers(others)}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}
