import * as t from '#messages/requests.ts';
import { Alert } from '../../components/Alert.tsx';
import { CopyTyped } from '../../components/CopyTyped.tsx';

interface KeptReasonProps {
  /** The name of the document or file. */
  about: string;
  reason: string;
  onDismiss: () => void;
}

/** A reason that was being typed when what it was for disappeared. */
export const KeptReason = ({ about, reason, onDismiss }: KeptReasonProps) => (
  <Alert tone="warning" className="mb-3" onDismiss={onDismiss}>
    {t.reasonKept(about)}
    <span className="my-1.5 block text-text wrap-anywhere select-text">{reason}</span>
    <CopyTyped text={reason} />
  </Alert>
);
