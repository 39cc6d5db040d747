import type { BackupsView } from '#server/backups/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/backups.ts';
import { CURRENT_PASSWORD } from '../../components/CurrentPassword.tsx';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';
import { api } from '../../lib/api.ts';
import { downloadResponse } from '../../lib/download.ts';
import { toast } from '../../lib/toast.ts';

interface SheetDialogProps {
  onClose: () => void;
  onSaved: (now: BackupsView) => void;
}

/** Saves the recovery sheet, after asking for the password. */
export const SheetDialog = ({ onClose, onSaved }: SheetDialogProps) => (
  <OneFieldDialog
    title={t.saveSheet}
    field={CURRENT_PASSWORD}
    required={common.passwordRequired}
    action={t.save}
    onSave={async (current_password) => {
      await downloadResponse('/api/backups/recovery-sheet', { current_password });
      toast.success(t.saved);
      onSaved(await api.get<BackupsView>('/api/backups'));
    }}
    failed={t.failed}
    onClose={onClose}
  >
    <p className="text-muted">{t.saveSheetAbout}</p>
  </OneFieldDialog>
);
