import { useState } from 'react';
import { Copy, Download, Printer } from 'lucide-react';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { save } from '../../lib/save.ts';
import { toast } from '../../lib/toast.ts';

const textOf = (codes: readonly string[]) =>
  `Recovery codes for ${location.host}\r\nEach works once.\r\n\r\n${codes.join('\r\n')}\r\n`;

function saveCodes(codes: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([textOf(codes)], { type: 'text/plain' }));
  save(address, 'recovery-codes.txt');
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Shown once; nobody can read them again. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [kept, setKept] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(textOf(codes)).then(
      () => toast.success('Recovery codes copied'),
      () => toast.error('The browser did not allow copying. Save them as a file instead.'),
    );
  return (
    <Dialog
      title="Keep these recovery codes"
      isOpen
      onOpenChange={() => {}}
      isKeyboardDismissDisabled
      hasClose={false}
      size="md"
    >
      <DialogBody className="flex flex-col gap-4">
        <p className="text-pretty text-muted">
          If the phone is lost, one of these opens your account instead of its code. Each works once. They are
          shown only now: print them and keep the printout safe, away from your phone.
        </p>
        <ul className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-md border border-line bg-sunken px-4 py-3 font-mono text-sm whitespace-nowrap tabular sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" icon={<Copy aria-hidden size={14} />} onPress={() => void copy()}>
            Copy
          </Button>
          <Button size="sm" icon={<Download aria-hidden size={14} />} onPress={() => saveCodes(codes)}>
            Save as a file
          </Button>
          <Button size="sm" icon={<Printer aria-hidden size={14} />} onPress={() => print()}>
            Print
          </Button>
        </div>
        <Checkbox isSelected={kept} onChange={setKept}>
          I have kept them where I can find them
        </Checkbox>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" isDisabled={!kept} onPress={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
