import { Copy, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { TemplateView } from '#server/templates/contract.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { plural } from '../../lib/format.ts';
import { calls } from './calls.ts';
import type { Draft } from './TemplatesDialog.tsx';
import type { KnownTemplates } from './useTemplates.ts';

interface ManageDialogProps {
  templates: KnownTemplates;
  onEdit: (draft: Draft) => void;
  onClose: () => void;
}

const NEW: Draft = { id: null, name: '', outline: '{fy}\n  ', version: null };
const ICON = { size: 16, 'aria-hidden': true } as const;

/** A name that is free, for a copy. */
function copyOf({ name, outline }: TemplateView, all: readonly TemplateView[]): Draft {
  const taken = new Set(all.map((one) => one.name.toLowerCase()));
  let free = `${name} (copy)`;
  for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = `${name} (copy ${n})`;
  return { id: null, name: free, outline, version: null };
}

export function ManageDialog({ templates: { list, error, reload }, onEdit, onClose }: ManageDialogProps) {
  const [alert, setAlert] = useState<string | null>(null);
  const remove = async ({ id, name }: TemplateView) => {
    const body = 'Folders that were created from it stay as they are.';
    if (!(await confirm({ title: `Delete the template '${name}'?`, body, action: 'Delete', danger: true })))
      return;
    await calls
      .remove(id)
      .catch((failure: unknown) => setAlert(messageOf(failure, 'Failed to delete the template.')));
    await reload();
  };
  return (
    <Dialog title="Folder templates" isOpen onOpenChange={onClose} size="md">
      <DialogBody className="flex flex-col gap-3">
        {error && <Alert onRetry={() => void reload()}>{error}</Alert>}
        {alert && <Alert onDismiss={() => setAlert(null)}>{alert}</Alert>}
        <ul aria-label="Folder templates" className="divide-y divide-line">
          {(list ?? []).map((one) => (
            <li key={one.id} className="flex min-h-11 items-center gap-1 py-1">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{one.name}</span>
                <span className="text-sm text-muted">
                  {plural(one.folders, 'folder')}
                  {one.built_in && ' · Built in'}
                </span>
              </span>
              <IconButton label={`Copy ${one.name}`} onPress={() => onEdit(copyOf(one, list ?? []))}>
                <Copy {...ICON} />
              </IconButton>
              {!one.built_in && (
                <>
                  <IconButton label={`Edit ${one.name}`} onPress={() => onEdit(one)}>
                    <Pencil {...ICON} />
                  </IconButton>
                  <IconButton
                    label={`Delete ${one.name}`}
                    variant="danger-quiet"
                    onPress={() => void remove(one)}
                  >
                    <Trash2 {...ICON} />
                  </IconButton>
                </>
              )}
            </li>
          ))}
        </ul>
        {list?.every((one) => one.built_in) && (
          <p className="text-muted">Your firm has no template of its own yet. Copy one, or make a new one.</p>
        )}
      </DialogBody>
      <DialogFooter>
        <Button className="mr-auto" icon={<Plus {...ICON} />} onPress={() => onEdit(NEW)}>
          New template
        </Button>
        <Button variant="primary" onPress={onClose}>
          Back
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
