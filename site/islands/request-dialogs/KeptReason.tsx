import { Copy } from 'lucide-react';
import * as t from '#messages/requests.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { copyText } from '../../lib/copyText.ts';
import { toast } from '../../lib/toast.ts';

interface KeptReasonProps {
  /** The name of the document or file. */
  about: string;
  reason: string;
  onDismiss: () => void;
}

/** A reason that was being typed when what it was for disappeared. */
export function KeptReason({ about, reason, onDismiss }: KeptReasonProps) {
  async function copy(): Promise<void> {
    if (await copyText(reason)) toast.success(t.reasonCopied);
  }
  return (
    <Alert tone="warning" className="mb-3" onDismiss={onDismiss}>
      {t.reasonKept(about)}
      <span className="my-1.5 block text-text wrap-anywhere select-text">{reason}</span>
      <Button size="sm" icon={<Copy aria-hidden size={14} />} onPress={() => void copy()}>
        {t.copyReason}
      </Button>
    </Alert>
  );
}
