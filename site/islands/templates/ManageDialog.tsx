import { Copy, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { TemplateView } from '#server/templates/contract.ts';
import * as t from '#messages/templates.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
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

/** A copy of a template with an unused name. */
function copyOf({ name, outline }: TemplateView, all: readonly TemplateView[]): Draft {
  const taken = new Set(all.map((one) => one.name.toLowerCase()));
  let free = t.copyName(name);
  for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = t.copyNumber(name, n);
  return { id: null, name: free, outline, version: null };
}

export function ManageDialog({ templates: { list, error, reload }, onEdit, onClose }: ManageDialogProps) {
  const [alert, setAlert] = useState<string | null>(null);
  const remove = async ({ id, name }: TemplateView) => {
    const body = t.deleteAbout;
    if (!(await confirm({ title: t.deleteQuestion(name), body, action: common.remove, danger: true })))
      return;
    await calls.remove(id).catch((failure: unknown) => setAlert(messageOf(failure, t.deleteFailed)));
    await reload();
  };
  return (
    <Dialog title={t.templates} isOpen onOpenChange={onClose} size="md">
      <DialogBody className="flex flex-col gap-3">
        {error && <Alert onRetry={() => void reload()}>{error}</Alert>}
        {alert && <Alert onDismiss={() => setAlert(null)}>{alert}</Alert>}
        <ul aria-label={t.templates} className="divide-y divide-line">
          {(list ?? []).map((one) => (
            <li key={one.id} className="flex min-h-11 items-center gap-1 py-1">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{one.name}</span>
                <span className="text-sm text-muted">
                  {t.folderCount(one.folders)}
                  {one.built_in && t.builtIn}
                </span>
              </span>
              <IconButton label={t.copy(one.name)} onPress={() => onEdit(copyOf(one, list ?? []))}>
                <Copy {...ICON} />
              </IconButton>
              {!one.built_in && (
                <>
                  <IconButton label={t.edit(one.name)} onPress={() => onEdit(one)}>
                    <Pencil {...ICON} />
                  </IconButton>
                  <IconButton
                    label={t.remove(one.name)}
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
        {list?.every((one) => one.built_in) && <p className="text-muted">{t.noneOwn}</p>}
      </DialogBody>
      <DialogFooter>
        <Button className="mr-auto" icon={<Plus {...ICON} />} onPress={() => onEdit(NEW)}>
          {t.newTemplate}
        </Button>
        <Button variant="primary" onPress={onClose}>
          {t.back}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
