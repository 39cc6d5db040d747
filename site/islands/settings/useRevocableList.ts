import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { useKeptFocus } from '../../lib/keptFocus.ts';
import { toast } from '../../lib/toast.ts';

interface Options<Row> {
  /** The API path that deletes a row. */
  path: (id: number) => string;
  /** The confirmation. */
  question: (row: Row) => { title: string; body: string; action: string };
  /** The messages on success and on an error. */
  ended: string;
  failed: string;
}

/** A list whose rows the user can revoke, one at a time and after a confirmation. `area` is to be the element around it. */
export function useRevocableList<Row extends { id: number }>(
  initial: Row[],
  { path, question, ended, failed }: Options<Row>,
) {
  const [rows, setRows] = useState(initial);
  const [busy, setBusy] = useState<number | null>(null);
  const [alert, setAlert] = useState<string>();

  const { area, remember, restore } = useKeptFocus();

  async function revoke(row: Row): Promise<void> {
    remember();
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
    restore();
  }

  /** The props of the button that revokes a row. */
  const revokeButton = (row: Row) => ({
    busy: busy === row.id,
    isDisabled: busy !== null && busy !== row.id,
    onPress: () => void revoke(row),
  });
  return { area, rows, alert, revokeButton, add: (row: Row) => setRows((old) => [row, ...old]) };
}
