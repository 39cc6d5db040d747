import { useState } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { AppPasswordView } from '#server/auth/app-passwords/contract.ts';
import { APP_NAME_MAX } from '#server/auth/app-passwords/contract.ts';
import * as t from '#messages/appPasswords.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { queryClientFor } from '../../lib/cache.ts';
import { useForm } from '../../lib/useForm.ts';
import { FolderDialog } from '../items/dialogs/FolderDialog.tsx';

const NONE = new Set<number>();

export type CreatedAppPassword = AppPasswordView & { password: string };

/** Creates an app password: its name, its rights and its folder. */
export default function AppPasswordDialog({
  userId,
  onClose,
  onCreated,
}: {
  userId: number;
  onClose: () => void;
  onCreated: (created: CreatedAppPassword) => void;
}) {
  const form = useForm({ name: '', folder_id: '', current_password: '' });
  const [readOnly, setReadOnly] = useState(false);
  const [isOneFolder, setIsOneFolder] = useState(false);
  const [folder, setFolder] = useState<{ id: number; name: string } | null>(null);
  const [choosing, setChoosing] = useState(false);
  const [cache] = useState(() => queryClientFor(userId, []));

  async function create(): Promise<void> {
    const { name, current_password } = form.values;
    const errors = {
      ...(!name.trim() && { name: t.nameRequired }),
      ...(isOneFolder && !folder && { folder_id: t.folderRequired }),
      ...(!current_password && { current_password: common.passwordRequired }),
    };
    if (Object.keys(errors).length > 0) return form.showErrors(errors);
    const folder_id = isOneFolder && folder ? folder.id : null;
    onCreated(
      await api.post<CreatedAppPassword>('/api/app-passwords', {
        name,
        read_only: readOnly,
        folder_id,
        current_password,
      }),
    );
  }

  if (choosing)
    return (
      <QueryClientProvider client={cache}>
        <FolderDialog
          title={t.chooseFolder}
          startId={null}
          excluded={NONE}
          isCurrent={(id) => id === null}
          currentLabel={t.chooseFolder}
          label={t.folderChosen}
          onChoose={async ({ id, name }) => {
            if (id !== null) setFolder({ id, name });
            form.edit('folder_id', '');
            setChoosing(false);
            return false;
          }}
          onClose={() => setChoosing(false)}
        />
      </QueryClientProvider>
    );
  return (
    <FormDialog
      title={t.create}
      form={form}
      onSubmit={form.submit(create, t.createFailed)}
      onClose={onClose}
      action={t.createAction}
    >
      <TextField
        label={t.name}
        {...form.field('name')}
        placeholder={t.namePlaceholder}
        maxLength={APP_NAME_MAX}
        autoComplete="off"
        autoFocus
      />
      <Select
        label={t.rights}
        options={[
          { id: 'change', label: t.readAndChange },
          { id: 'read', label: t.readOnly },
        ]}
        value={readOnly ? 'read' : 'change'}
        onChange={(key) => setReadOnly(key === 'read')}
      />
      <Select
        label={t.place}
        options={[
          { id: 'all', label: t.wholeVault },
          { id: 'one', label: t.oneFolder },
        ]}
        value={isOneFolder ? 'one' : 'all'}
        onChange={(key) => setIsOneFolder(key === 'one')}
      />
      {isOneFolder && (
        <div>
          <div className="flex items-center gap-3">
            <Button size="sm" onPress={() => setChoosing(true)}>
              {t.choose}
            </Button>
            <span className="min-w-0 truncate text-muted">{folder?.name ?? t.noFolderChosen}</span>
          </div>
          {form.errors.folder_id && (
            <p role="alert" className="mt-1 text-xs font-medium text-danger-text">
              {form.errors.folder_id}
            </p>
          )}
        </div>
      )}
      <PasswordField
        label={common.currentPassword}
        {...form.field('current_password')}
        autoComplete="current-password"
      />
    </FormDialog>
  );
}
