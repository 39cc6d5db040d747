import { Check, Copy, MessageCircle } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { RequestLink } from '#server/requests/contract.ts';
import * as t from '#messages/requests.ts';
import { address, copyBlocked, done } from '#messages/sharing.ts';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { copyText } from '../../lib/copyText.ts';
import { toast } from '../../lib/toast.ts';
import { whatsAppUrl } from '../../lib/whatsApp.ts';

/** The link of a request that was just created and that no e-mail has taken to the client. */
export function ByHandLink({
  link: { url, phone, message },
  onDone,
}: {
  link: RequestLink;
  onDone: () => void;
}) {
  const [copied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // After the dialog has given the focus of the pressed button to a neighbour.
  useEffect(() => field.current?.focus(), []);
  async function copy(): Promise<void> {
    if (!(await copyText(url))) return void toast.error(copyBlocked);
    setCopied(true);
    toast.success(t.copied);
  }
  return (
    <>
      <DialogBody className="flex flex-col gap-4">
        <p className="text-muted">{t.passItOn}</p>
        <div className="flex items-end gap-2">
          <TextField
            label={address}
            isReadOnly
            value={url}
            inputRef={field}
            onFocus={() => field.current?.select()}
            className="min-w-0 flex-1"
          />
          <Button
            variant="primary"
            icon={copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
            onPress={() => void copy()}
          >
            {t.copyLink}
          </Button>
        </div>
        <a
          href={whatsAppUrl(phone, message)}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass('secondary', 'md', 'shrink-0 self-start')}
        >
          <MessageCircle aria-hidden size={16} />
          {t.whatsApp}
        </a>
      </DialogBody>
      <DialogFooter>
        <Button onPress={onDone}>{done}</Button>
      </DialogFooter>
    </>
  );
}
