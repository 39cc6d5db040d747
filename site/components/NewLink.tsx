import { useEffect, useRef, useState } from 'react';
import { Check, Copy } from 'lucide-react';
import * as t from '#messages/sharing.ts';
import { copyText } from '../lib/copyText.ts';
import { toast } from '../lib/toast.ts';
import { Button } from './Button.tsx';
import { TextField } from './TextField.tsx';

/** The address of a link that was just created, with the focus, and a button that copies it. */
export function NewLink({ url }: { url: string }) {
  const [copied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // After the dialog has given the focus of the pressed button to a neighbour.
  useEffect(() => field.current?.focus(), []);

  async function copy(): Promise<void> {
    if (!(await copyText(url))) return void toast.error(t.copyBlocked);
    setCopied(true);
    toast.success(t.copied);
  }

  return (
    <div className="flex items-end gap-2">
      <TextField
        label={t.address}
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
        {t.copy}
      </Button>
    </div>
  );
}
