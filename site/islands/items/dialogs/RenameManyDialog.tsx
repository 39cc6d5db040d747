import { useMemo, useState } from 'react';
import { ArrowRight } from 'lucide-react';
import type { BulkResult, ItemView } from '#server/documents/contract.ts';
import { MAX_RENAMED } from '#server/documents/contract.ts';
import { NAME_MAX } from '#server/text/file-names.ts';
import * as d from '#messages/itemDialogs.ts';
import * as t from '#messages/items.ts';
import { Alert } from '../../../components/Alert.tsx';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { Select } from '../../../components/Select.tsx';
import { TextField } from '../../../components/TextField.tsx';
import { messageOf } from '../../../lib/apiError.ts';
import { cx } from '../../../lib/cx.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';
import { namedFailures } from '../../../lib/namedFailures.ts';
import { toast } from '../../../lib/toast.ts';
import { toastWithUndo } from '../../../lib/undo.ts';
import { useForm } from '../../../lib/useForm.ts';
import { useItemScreen } from '../ItemListModel.ts';
import type { NewName, Numbering } from '../newNames.ts';
import { NUMBERING, newNames } from '../newNames.ts';

/** The preview shows so many names, and of the others so many that are not possible. */
const MAX_SHOWN = 100;
const THIRD = 'col-span-2 max-sm:col-span-3';

/** Changes the names of several items in one way, with a preview. */
export function RenameManyDialog({ items, onClose }: { items: readonly ItemView[]; onClose: () => void }) {
  const { refresh, rows, openDialog } = useItemScreen();
  const form = useForm({ find: '', replacement: '', before: '', after: '' });
  const [numbering, setNumbering] = useState<Numbering>('none');
  const renamable = useMemo(() => {
    // Numbered as they are listed, not as they were selected.
    const place = new Map(rows.order.map((id, index) => [id, index]));
    const placeOf = ({ id }: ItemView) => place.get(id) ?? place.size;
    return items.filter(({ seal }) => !seal).toSorted((a, b) => placeOf(a) - placeOf(b));
  }, [items, rows.order]);
  const sealed = items.length - renamable.length;
  const there = useMemo(() => {
    const own = new Set(renamable.map(({ id }) => id));
    return rows.items.filter(({ id }) => !own.has(id));
  }, [renamable, rows.items]);
  const { values } = form;
  const names = useMemo(
    () => newNames(renamable, { ...values, numbering }, there),
    [renamable, values, numbering, there],
  );
  const changed = names.filter(({ item, name, error }) => error === null && name !== item.name);
  const tooMany = renamable.length > MAX_RENAMED;

  function showFailures(result: BulkResult): void {
    const title = d.notRenamed(result.failed.length);
    openDialog({ dialog: 'failures', title, failures: namedFailures(items, result) });
  }

  async function rename() {
    const wanted = changed.map(({ item: { id }, name }) => ({ id, name }));
    const seen = changed.map(({ item }) => item);
    const result = await documentCalls.renameMany(wanted, seen).finally(refresh);
    onClose();
    if (result.failed.length > 0) showFailures(result);
    const done = new Set(result.done);
    const renamed = changed.filter(({ item }) => done.has(item.id));
    if (renamed.length > 0) toastWithUndo(d.renamedItems(renamed.length), () => void renameBack(renamed));
  }

  async function renameBack(renamed: readonly NewName[]) {
    try {
      const former = renamed.map(({ item: { id, name } }) => ({ id, name }));
      const now = renamed.map(({ item: { id, parent_id }, name }) => ({
        id,
        name,
        parent_id,
        undoing: true,
      }));
      const result = await documentCalls.renameMany(former, now);
      if (result.failed.length > 0) showFailures(result);
    } catch (failure) {
      toast.error(messageOf(failure, d.renameManyFailed));
    }
    await refresh();
  }

  const text = (name: keyof typeof values) => ({
    ...form.field(name),
    maxLength: NAME_MAX,
    autoComplete: 'off',
  });
  const first = '1'.padStart(String(renamable.length).length, '0');
  return (
    <FormDialog
      title={d.renameItems(renamable.length)}
      form={form}
      onSubmit={form.submit(rename, d.renameManyFailed)}
      onClose={onClose}
      action={changed.length > 0 ? d.renameItems(changed.length) : t.rename}
      submitDisabled={tooMany || changed.length === 0}
      size="lg"
      keepsTyped
    >
      {tooMany ? (
        <Alert tone="warning">{d.tooManyToRename(MAX_RENAMED)}</Alert>
      ) : (
        <>
          <div className="grid grid-cols-6 gap-3">
            <TextField {...text('find')} label={d.replaceText} autoFocus className="col-span-3" />
            <TextField {...text('replacement')} label={d.replaceWith} className="col-span-3" />
            <TextField {...text('before')} label={d.addBefore} className={THIRD} />
            <TextField {...text('after')} label={d.addAfter} className={THIRD} />
            <Select
              label={d.numbers}
              options={NUMBERING.map((id) => ({ id, label: d.numbering[id](first) }))}
              value={numbering}
              onChange={(chosen) => setNumbering(chosen as Numbering)}
              className="col-span-2 max-sm:col-span-6"
            />
          </div>
          <Preview names={names} changed={changed.length} sealed={sealed} />
        </>
      )}
    </FormDialog>
  );
}

interface PreviewProps {
  names: readonly NewName[];
  changed: number;
  sealed: number;
}

function Preview({ names, changed, sealed }: PreviewProps) {
  const impossible = names.filter(({ error }) => error !== null);
  const late = names.slice(MAX_SHOWN).filter(({ error }) => error !== null);
  const shown = [...names.slice(0, MAX_SHOWN), ...late.slice(0, MAX_SHOWN)];
  const rest = names.length - shown.length;
  return (
    <div className="flex flex-col gap-1.5">
      <p role="status" className="text-sm text-muted">
        {d.namesChange(changed, names.length)} {impossible.length > 0 && d.namesImpossible(impossible.length)}{' '}
        {sealed > 0 && d.sealedStay(sealed)}
      </p>
      <ul aria-label={d.newNames} className="rounded-md border border-line">
        {shown.map((one) => (
          <NameRow key={one.item.id} {...one} />
        ))}
        {rest > 0 && <li className="px-3 py-1.5 text-sm text-muted">{d.furtherNames(rest)}</li>}
      </ul>
    </div>
  );
}

function NameRow({ item, name, error }: NewName) {
  const isChanged = name !== item.name || error !== null;
  return (
    <li className="border-b border-line px-3 py-1.5 last:border-b-0">
      <div className="grid grid-cols-[minmax(0,1fr)_1rem_minmax(0,1fr)] items-baseline gap-2 max-sm:grid-cols-[1rem_minmax(0,1fr)]">
        <span dir="auto" className="break-words text-muted max-sm:col-span-2">
          {item.name}
        </span>
        {isChanged && (
          <>
            <ArrowRight aria-label={d.becomes} size={14} className="translate-y-0.5 text-muted" />
            <span className="min-w-0">
              <span
                dir="auto"
                className={cx('break-words', error === null ? 'font-medium' : 'text-muted line-through')}
              >
                {name}
              </span>
              {error !== null && <span className="block text-sm text-danger-text">{error}</span>}
            </span>
          </>
        )}
      </div>
    </li>
  );
}
