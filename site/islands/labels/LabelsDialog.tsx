import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Pencil, Trash2 } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import type { LabelView } from '#server/documents/labels/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/labels.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { LabelChip } from '../../components/LabelChip.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { refresh, refreshKeys } from '../../lib/cache.ts';
import { confirm, confirmDiscard } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { $session } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { toastWithUndo } from '../../lib/undo.ts';
import { useMay } from '../../lib/useMay.ts';
import { calls, labelsKey, useLabels } from './calls.ts';
import { LabelFields } from './LabelFields.tsx';
import { useLabelDraft } from './useLabelDraft.ts';

export interface LabelsDialogProps {
  /** At least one. */
  items: readonly ItemView[];
  onClose: () => void;
}

/** Adds labels to items and removes them, and manages the firm's labels. */
export function LabelsDialog({ items, onClose }: LabelsDialogProps) {
  const cache = useQueryClient();
  const { data, error, isFetching, refetch } = useLabels();
  /** Only the changes made here. */
  const [wanted, setWanted] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [editing, edit] = useState<number | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [first] = items;
  const bearing = (id: number) =>
    items.filter(({ labels }) => labels?.some((label) => label.id === id)).length;
  const again = () => refreshKeys(cache, labelsKey);
  const want = (id: number, on: boolean) => setWanted((old) => new Map(old).set(id, on));

  const newLabel = useLabelDraft(async (label) => {
    const created = await calls.create(label);
    await again();
    // A new label is also applied to the items.
    want(created.id, true);
    return created;
  });
  const changed = useLabelDraft(async (label) => {
    const saved = await calls.update(editing!, label);
    await again();
    void refresh(cache);
    edit(null);
    return saved;
  });
  async function remove({ id, name }: LabelView) {
    const yes = await confirm({
      title: t.removeQuestion(name),
      body: t.removeAbout,
      action: t.removeAction,
      danger: true,
    });
    if (!yes) return;
    setAlert(null);
    await calls.remove(id).catch((failure: unknown) => setAlert(messageOf(failure, t.saveFailed)));
    await again();
    void refresh(cache);
  }
  async function save() {
    // What is still typed in a field is saved too; if it is refused, the field says why.
    if (editing !== null && changed.isChanged && !(await changed.save())) return;
    const created = newLabel.isChanged ? await newLabel.save() : null;
    if (newLabel.isChanged && !created) return;
    const existingIds = new Set(data?.map(({ id }) => id));
    const chosen = (on: boolean) =>
      [...wanted].flatMap(([id, to]) => (to === on && existingIds.has(id) ? [id] : []));
    const add = [...chosen(true), ...(created ? [created.id] : [])];
    const remove = chosen(false);
    if (add.length + remove.length === 0) return onClose();
    setBusy(true);
    try {
      const done = await calls.put({ ids: items.map(({ id }) => id), add, remove });
      if (done.changed > 0) toastWithUndo(t.saved(done.changed), () => void undo(add, remove));
      if (done.missing > 0) toast.error(t.missing(done.missing));
      void refresh(cache);
      onClose();
    } catch (failure) {
      setAlert(messageOf(failure, t.changeFailed));
      setBusy(false);
    }
  }

  /** Takes back only what was changed: some items may have had the label before, or lacked it. */
  async function undo(added: readonly number[], removed: readonly number[]) {
    const idsWhere = (label: number, on: boolean) =>
      items.flatMap(({ id, labels = [] }) => (labels.some((of) => of.id === label) === on ? [id] : []));
    const changes = [
      ...added.map((id) => ({ ids: idsWhere(id, false), add: [], remove: [id] })),
      ...removed.map((id) => ({ ids: idsWhere(id, true), add: [id], remove: [] })),
    ];
    try {
      for (const change of changes) if (change.ids.length > 0) await calls.put(change);
    } catch (failure) {
      toast.error(messageOf(failure, t.changeFailed));
    }
    void refresh(cache);
  }

  /** Asks before changes are discarded. */
  async function leave() {
    const hasChanges =
      newLabel.isChanged ||
      (editing !== null && changed.isChanged) ||
      [...wanted.keys()].some((id) => data?.some((label) => label.id === id));
    if (busy) return;
    if (!hasChanges || (await confirmDiscard(t.notSaved))) onClose();
  }

  return (
    <Dialog
      title={
        items.length === 1 && first ? t.labelsOf(truncateMiddle(first.name)) : t.labelsOfItems(items.length)
      }
      isOpen
      onOpenChange={() => void leave()}
    >
      <DialogBody className="flex flex-col gap-2">
        {alert && <Alert onDismiss={() => setAlert(null)}>{alert}</Alert>}
        {error && (
          <Alert onRetry={() => void refetch()} retrying={isFetching}>
            {messageOf(error, t.loadFailed)}
          </Alert>
        )}
        {data?.length === 0 && <p className="text-muted">{t.noneYet}</p>}
        <ul aria-label={t.title} className="divide-y divide-line">
          {data?.map((label) =>
            editing === label.id ? (
              <li key={label.id}>
                <LabelFields
                  draft={changed}
                  action={common.save}
                  onSave={changed.save}
                  onCancel={() => edit(null)}
                />
              </li>
            ) : (
              <Choice
                key={label.id}
                label={label}
                of={items.length}
                bearing={bearing(label.id)}
                wanted={wanted.get(label.id)}
                onChange={(on) => want(label.id, on)}
                onEdit={() => {
                  edit(label.id);
                  changed.begin(label);
                }}
                onRemove={() => void remove(label)}
              />
            ),
          )}
        </ul>
        <LabelFields draft={newLabel} action={t.create} onSave={newLabel.save} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={() => void leave()}>{common.cancel}</Button>
        <Button variant="primary" busy={busy || newLabel.busy || changed.busy} onPress={() => void save()}>
          {common.save}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

const seesAll = (): boolean => {
  const { user } = $session.get();
  return user?.role === 'admin' || user?.client_scope === 'all';
};

interface ChoiceProps {
  label: LabelView;
  /** The number of items, and how many of them have the label. */
  of: number;
  bearing: number;
  wanted: boolean | undefined;
  onChange: (on: boolean) => void;
  onEdit: () => void;
  onRemove: () => void;
}

function Choice({ label, of, bearing, wanted, onChange, onEdit, onRemove }: ChoiceProps) {
  const may = useMay();
  const isMixed = wanted === undefined && bearing > 0 && bearing < of;
  return (
    <li className="flex min-h-10 items-center gap-2">
      <Checkbox
        aria-label={isMixed ? `${label.name}, ${t.onSome}` : label.name}
        isSelected={wanted ?? (bearing > 0 && bearing === of)}
        isIndeterminate={isMixed}
        onChange={onChange}
        className="min-w-0 flex-1"
      >
        <LabelChip label={label} className="max-w-full!" />
      </Checkbox>
      <IconButton label={t.edit(label.name)} size="sm" onPress={onEdit}>
        <Pencil aria-hidden size={14} />
      </IconButton>
      {/* Deleting removes the label from all items, also from those that users with assigned clients do not see. */}
      {may('documents.delete') && seesAll() && (
        <IconButton label={t.remove(label.name)} size="sm" variant="danger-quiet" onPress={onRemove}>
          <Trash2 aria-hidden size={14} />
        </IconButton>
      )}
    </li>
  );
}
