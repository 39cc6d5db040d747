import { useState } from 'react';
import { Copy, Download, Printer } from 'lucide-react';
import * as t from '#messages/settings.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { copyText } from '../../lib/copyText.ts';
import { downloadFrom } from '../../lib/download.ts';
import { restoreFocus } from '../../lib/keptFocus.ts';
import { toast } from '../../lib/toast.ts';

const textOf = (codes: readonly string[]) => t.recoveryCodesFile(location.host, codes.join('\r\n'));

function saveCodes(codes: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([textOf(codes)], { type: 'text/plain' }));
  downloadFrom(address, 'recovery-codes.txt');
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export interface RecoveryCodesProps {
  codes: readonly string[];
  /** A selector of the control that gets the focus afterwards: the dialog before this one has gone, often with its button. */
  focusAfter: string;
  onClose: () => void;
}

/** Shows new recovery codes. They cannot be shown again. */
export function RecoveryCodes({ codes, focusAfter, onClose }: RecoveryCodesProps) {
  const [confirmed, setConfirmed] = useState(false);
  function close(): void {
    onClose();
    restoreFocus(() => document.querySelector<HTMLElement>(focusAfter));
  }
  const copy = async () =>
    (await copyText(textOf(codes))) ? toast.success(t.codesCopied) : toast.error(t.copyBlocked);
  return (
    <Dialog
      title={t.keepCodes}
      isOpen
      onOpenChange={() => {}}
      isKeyboardDismissDisabled
      hasClose={false}
      size="lg"
    >
      <DialogBody className="flex flex-col gap-4">
        <p className="text-pretty text-muted">{t.keepCodesAbout}</p>
        <ul className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-md border border-line bg-sunken px-4 py-3 font-mono text-sm whitespace-nowrap tabular sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" icon={<Copy aria-hidden size={14} />} onPress={() => void copy()}>
            {t.copy}
          </Button>
          <Button size="sm" icon={<Download aria-hidden size={14} />} onPress={() => saveCodes(codes)}>
            {t.saveAsFile}
          </Button>
          <Button size="sm" icon={<Printer aria-hidden size={14} />} onPress={() => print()}>
            {t.print}
          </Button>
        </div>
        <Checkbox isSelected={confirmed} onChange={setConfirmed}>
          {t.codesKept}
        </Checkbox>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" isDisabled={!confirmed} onPress={close}>
          {common.done}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
