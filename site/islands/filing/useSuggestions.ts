import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { FilingResult, Suggestion, Suggestions } from '#server/filing/contract.ts';
import * as t from '#messages/filing.ts';
import { messageOf } from '../../lib/apiError.ts';
import { filingCalls } from '../../lib/filing.ts';
import { toast } from '../../lib/toast.ts';
import { toastWithUndo } from '../../lib/undo.ts';

export const filingKey = (ids: readonly number[]) => ['filing', ids.join()] as const;
const LOOK_MS = 4000;
export const RUNS_KEY = ['filing', 'runs'] as const;

/** What somebody made of a suggestion. */
export type Edit = Partial<
  Pick<Suggestion, 'client' | 'base' | 'folder' | 'name' | 'sure' | 'doubts' | 'taken'>
>;

/** The suggestions with what was changed in them, and what is done with them. */
export function useSuggestions(ids: readonly number[]) {
  const cache = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: filingKey(ids),
    queryFn: ({ signal }) => filingCalls.suggestions(ids, null, signal),
    // What is read in the background tells by itself when it is done; a lost word costs some seconds.
    refetchInterval: ({ state }) => ((state.data?.reading ?? 0) > 0 ? LOOK_MS : false),
  });
  const [edits, setEdits] = useState<ReadonlyMap<number, Edit>>(new Map());
  /** Those of which somebody has said whether they are chosen; the others are, if they are sure. */
  const [said, setSaid] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [busy, setBusy] = useState(false);
  const [failures, setFailures] = useState<FilingResult['failed']>([]);

  const shown = (data?.suggestions ?? []).map((one): Suggestion => ({ ...one, ...edits.get(one.item.id) }));
  const isChosen = ({ item, sure, client }: Suggestion) => client !== null && (said.get(item.id) ?? sure);
  const chosen = shown.filter(isChosen);

  const edit = (id: number, part: Edit) =>
    setEdits((old) => new Map(old).set(id, { ...old.get(id), ...part }));
  /** Whose box was pressed last: from there on a press with Shift goes. */
  const last = useRef<number | null>(null);
  function choose(id: number, on: boolean, extend = false): void {
    const at = (wanted: number | null) => shown.findIndex(({ item }) => item.id === wanted);
    const [from, to] = [extend ? at(last.current) : -1, at(id)].toSorted((a, b) => a - b) as [number, number];
    const between = from < 0 ? [] : shown.slice(from, to + 1).filter(({ client }) => client !== null);
    last.current = id;
    setSaid(
      (old) => new Map([...old, ...between.map(({ item }) => [item.id, on] as const), [id, on] as const]),
    );
  }
  const refresh = () => cache.invalidateQueries({ queryKey: ['filing'] });

  /** Asks where a document would go if it were this client's. */
  async function assign(id: number, client: { id: number; name: string }): Promise<void> {
    try {
      const { suggestions } = await filingCalls.suggestions([id], client.id);
      const [one] = suggestions;
      if (!one) return await refresh();
      const { base, folder, name, taken } = one;
      edit(id, { client, base, folder, name, taken, doubts: [] });
      choose(id, true);
    } catch (failure) {
      toast.error(messageOf(failure, t.loadFailed));
    }
  }

  async function undo(run: number): Promise<void> {
    try {
      const { filed, failed } = await filingCalls.undo(run);
      setFailures(failed);
      if (filed.length > 0) toast.success(t.undone(filed.length));
      else toast.error(t.notUndone(failed.length));
    } catch (failure) {
      toast.error(messageOf(failure, t.undoFailed));
    }
    void refresh();
  }

  async function file(wanted: readonly Suggestion[]): Promise<void> {
    setBusy(true);
    try {
      const { run, filed, failed } = await filingCalls.file(
        wanted.map(({ item, client, folder, name }) => ({
          id: item.id,
          client_id: client!.id,
          folder,
          name,
          seen: { name: item.name, parent_id: item.parent_id },
        })),
      );
      setFailures(failed);
      if (run !== null) toastWithUndo(t.filed(filed.length), () => void undo(run));
      const gone = new Set(filed.map(({ id }) => id));
      cache.setQueryData(
        filingKey(ids),
        (old: Suggestions | undefined) =>
          old && {
            ...old,
            suggestions: old.suggestions.filter(({ item }) => !gone.has(item.id)),
            total: Math.max(0, old.total - gone.size),
          },
      );
    } catch (failure) {
      toast.error(messageOf(failure, t.fileFailed));
    } finally {
      setBusy(false);
    }
    void refresh();
  }

  return {
    data,
    shown,
    chosen,
    isChosen,
    error: error ? messageOf(error, t.loadFailed) : null,
    fetching: isFetching,
    retry: () => void refetch(),
    refresh,
    edit,
    choose,
    chooseAll: (on: boolean) =>
      setSaid(new Map(shown.map((one) => [one.item.id, on && one.sure && one.client !== null]))),
    assign,
    file,
    undo,
    busy,
    failures,
    forgetFailures: () => setFailures([]),
  };
}
