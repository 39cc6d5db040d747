import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import type { TableRows } from '#server/fields/contract.ts';
import type { ValueKind } from '#server/recognition/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/fields.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { cx } from '../../lib/cx.ts';
import { fieldCalls, exportFields, tableKey } from '../../lib/fields.ts';
import { formatCount } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { useMay } from '../../lib/useMay.ts';
import { formatValue, nameOfColumn, nameOfTable, editableValue } from '../../lib/fieldValues.ts';

export interface TableDialogProps {
  item: Pick<ItemView, 'id' | 'name'>;
  at: number;
  onClose: () => void;
}

/** Maximum rows rendered. */
const MAX_ROWS = 2000;
/** Maximum broken rows listed. */
const MAX_LISTED = 12;

/** A table of a document, with the rows that need a check, and export buttons. */
export function TableDialog({ item, at, onClose }: TableDialogProps) {
  const may = useMay();
  const [saving, setSaving] = useState<'xlsx' | 'csv' | null>(null);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: tableKey(item.id, at),
    queryFn: ({ signal }) => fieldCalls.table(item.id, at, signal),
  });
  async function save(form: 'xlsx' | 'csv') {
    setSaving(form);
    try {
      await exportFields({ table: { item: item.id, at }, form });
    } catch (failed) {
      toast.error(messageOf(failed, t.downloadFailed));
    } finally {
      setSaving(null);
    }
  }
  return (
    <Dialog
      title={data ? nameOfTable(data.key) : t.groups.tables}
      size="xl"
      isOpen
      onOpenChange={(open) => !open && onClose()}
      isDismissable
    >
      <DialogBody>
        <p className="pb-2 text-sm break-words text-muted">{item.name}</p>
        {error && (
          <Alert onRetry={() => void refetch()} retrying={isFetching}>
            {messageOf(error, t.loadFailed)}
          </Alert>
        )}
        {data ? <Rows table={data} /> : !error && <Skeleton className="h-40 w-full" />}
      </DialogBody>
      <DialogFooter>
        {may('documents.download') && (
          <>
            <Button isDisabled={!data} busy={saving === 'csv'} onPress={() => void save('csv')}>
              {t.asCsv}
            </Button>
            <Button isDisabled={!data} busy={saving === 'xlsx'} onPress={() => void save('xlsx')}>
              {t.asXlsx}
            </Button>
          </>
        )}
        <Button variant="primary" onPress={onClose}>
          {common.close}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** Amounts in table columns are shown without the rupee sign. */
const inTable = (kind: ValueKind, value: string, key: string): string =>
  kind === 'amount' ? editableValue(kind, value) : formatValue(kind, value, key);

function Breaks({ breaks }: { breaks: readonly number[] | null }) {
  if (breaks === null) return null;
  if (breaks.length === 0)
    return (
      <p className="flex items-center gap-1.5 pb-2 text-sm text-success-text">
        <CircleCheck aria-hidden size={14} />
        {t.balancesFollow}
      </p>
    );
  const named = breaks.slice(0, MAX_LISTED).map((row) => formatCount(row + 1));
  const more = breaks.length - named.length;
  const rows = [named.join(', '), more > 0 ? t.andMore(more) : ''].filter(Boolean).join(' ');
  return (
    <p role="alert" className="flex items-center gap-1.5 pb-2 text-sm text-warning-text">
      <CircleAlert aria-hidden size={14} className="shrink-0" />
      {t.balancesBreakAt(breaks.length, rows)}
    </p>
  );
}

function Rows({ table: { key, columns, rows, breaks } }: { table: TableRows }) {
  const broken = new Set(breaks);
  const right = (kind: string) => kind === 'amount' || kind === 'number';
  return (
    <>
      <Breaks breaks={breaks} />
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that keys scroll it
        tabIndex={0}
        role="group"
        aria-label={nameOfTable(key)}
        className="max-h-[56vh] overflow-auto rounded-md border border-line"
      >
        <table className="tabular w-full border-collapse text-sm">
          <thead className="sticky top-0 bg-sunken text-left text-muted">
            <tr>
              <th scope="col" className="px-2 py-1.5 text-right font-medium">
                {t.row}
              </th>
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={cx(
                    'px-2 py-1.5 font-medium whitespace-nowrap',
                    right(column.kind) && 'text-right',
                  )}
                >
                  {nameOfColumn(column.key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map(({ cells }, index) => (
              // oxlint-disable-next-line no-array-index-key -- rows have no other name
              <tr key={index} className={cx('border-t border-line', broken.has(index) && 'bg-warning-soft')}>
                <td className="px-2 py-1 text-right text-muted">
                  {broken.has(index) && (
                    <CircleAlert
                      aria-label={t.brokenRow}
                      size={12}
                      className="mr-1 inline text-warning-text"
                    />
                  )}
                  {formatCount(index + 1)}
                </td>
                {columns.map((column, place) => (
                  <td
                    key={column.key}
                    dir="auto"
                    className={cx(
                      'px-2 py-1 align-top',
                      right(column.kind) ? 'text-right whitespace-nowrap' : 'min-w-20 break-words',
                      column.kind === 'identifier' && 'font-mono',
                      column.kind === 'date' && 'whitespace-nowrap',
                    )}
                  >
                    {cells[place] == null ? '' : inTable(column.kind, cells[place], column.key)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MAX_ROWS && (
        <p className="pt-2 text-sm text-muted">{t.shownFirst(formatCount(MAX_ROWS))}</p>
      )}
    </>
  );
}
