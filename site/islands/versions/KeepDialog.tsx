import type { VersionView } from '#server/documents/versions/contract.ts';
import * as t from '#messages/versions.ts';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';

export interface KeepDialogProps {
  version: VersionView;
  onKeep: (word: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the label with which a version is kept permanently. */
export const KeepDialog = ({ version, onKeep, onClose }: KeepDialogProps) => (
  <OneFieldDialog
    title={t.keepTitle}
    field={{ name: 'kept_as', label: t.keepReason, description: t.keepAbout, maxLength: 60 }}
    initial={version.kept_as ?? t.sampleReason}
    required={t.keepReasonRequired}
    action={t.keepAction}
    onSave={onKeep}
    failed={t.keepFailed}
    onClose={onClose}
  />
);
