import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { toast } from '../../lib/toast.ts';

interface Ending<Row> {
  /** Where a row is deleted, by its id. */
  path: (id: number) => string;
  /** What is asked before. */
  question: (row: Row) => { title: string; body: string; action: string };
  ended: string;
  failed: string;
}

/** A list in which the person ends one row at a time, each after a question. */
export function useEnding<Row extends { id: number }>(
  initial: Row[],
  { path, question, ended, failed }: Ending<Row>,
) {
  const [rows, setRows] = useState(initial);
  const [busy, setBusy] = useState<number | null>(null);
  const [alert, setAlert] = useState<string>();

  async function end(row: Row): Promise<void> {
    if (!(await confirm({ ...question(row), danger: true }))) return;
    setBusy(row.id);
    setAlert(undefined);
    try {
      await api.delete(path(row.id));
      setRows((old) => old.filter(({ id }) => id !== row.id));
      toast.success(ended);
    } catch (error) {
      setAlert(messageOf(error, failed));
    }
    setBusy(null);
  }

  /** Of the button that ends a row. */
  const endButton = (row: Row) => ({
    busy: busy === row.id,
    isDisabled: busy !== null && busy !== row.id,
    onPress: () => void end(row),
  });
  return { rows, alert, endButton, add: (row: Row) => setRows((old) => [row, ...old]) };
}
