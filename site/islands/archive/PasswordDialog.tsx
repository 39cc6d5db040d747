import * as t from '#messages/archive.ts';
import * as common from '#messages/common.ts';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';
import { START_FAILED } from './extractions.ts';

export interface PasswordDialogProps {
  /** The name of the archive. */
  name: string;
  /** Replaces the explanation, such as after a wrong password. */
  note?: string | undefined;
  /** The button's label. */
  action: string;
  /** Rejects with the error to show under the field. */
  onPassword: (password: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the password of an archive. */
export const PasswordDialog = ({ name, note, action, onPassword, onClose }: PasswordDialogProps) => (
  <OneFieldDialog
    title={t.locked}
    field={{ name: 'password', type: 'password', label: common.password }}
    required={t.passwordRequired}
    action={action}
    onSave={onPassword}
    failed={START_FAILED}
    isCatchAll
    onClose={onClose}
  >
    <p className="break-words">{note ?? t.passwordOf(name)}</p>
  </OneFieldDialog>
);
