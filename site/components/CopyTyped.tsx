import { Copy } from 'lucide-react';
import * as t from '#messages/typedText.ts';
import { copyText } from '../lib/copyText.ts';
import { toast } from '../lib/toast.ts';
import { Button } from './Button.tsx';

/** A button that copies what was typed and cannot be saved any more. */
export function CopyTyped({ text }: { text: string }) {
  const copy = async () =>
    (await copyText(text)) ? toast.success(t.textCopied) : toast.error(t.copyBlocked);
  return (
    <Button size="sm" icon={<Copy aria-hidden size={14} />} onPress={() => void copy()}>
      {t.copyText}
    </Button>
  );
}
