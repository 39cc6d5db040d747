import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { FilingResult, Suggestion, Suggestions } from '#server/filing/contract.ts';
import * as t from '#messages/filing.ts';
import { messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { filingCalls } from '../../lib/filing.ts';
import { toast } from '../../lib/toast.ts';
import { toastWithUndo } from '../../lib/undo.ts';
import { focusScreen, isByKey, keepFocus, leaveFocus } from './focus.ts';
import { useAskBeforeUnload, useDrafts } from './drafts.ts';

export const filingKey = (ids: readonly number[]) => ['filing', ids.join()] as const;
const POLL_MS = 4000;
export const RUNS_KEY = ['filing', 'runs'] as const;

type Client = NonNullable<Suggestion['client']>;

/** The suggestions with the user's changes, the selection and the actions. */
export function useSuggestions(ids: readonly number[]) {
  const cache = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: filingKey(ids),
    queryFn: ({ signal }) => filingCalls.suggestions(ids, null, signal),
    // An event reports that a document was read; polling covers lost events.
    refetchInterval: ({ state }) => ((state.data?.reading ?? 0) > 0 ? POLL_MS : false),
  });
  const { edits, selection, edit, select, drop } = useDrafts();
  /** The newly chosen client by item id, until its folder and name are loaded. */
  const [assigning, setAssigning] = useState<ReadonlyMap<number, Client>>(new Map());
  const latestClients = useRef(new Map<number, Client>());
  const [busy, setBusy] = useState(false);
  /** Chosen documents that were filed: unlike those of the queue, they would be suggested again. */
  const [filedIds, setFiledIds] = useState<ReadonlySet<number>>(new Set());
  const [failures, setFailures] = useState<FilingResult['failed']>([]);

  const shown = (data?.suggestions ?? [])
    .filter(({ item }) => !filedIds.has(item.id))
    .map((suggestion): Suggestion => ({ ...suggestion, ...edits.get(suggestion.item.id) }));
  useAskBeforeUnload(shown.some(({ item }) => edits.has(item.id)));
  const isChosen = ({ item, sure, client }: Suggestion) =>
    client !== null && (selection.get(item.id) ?? sure);
  const chosen = shown.filter(isChosen);

  /** The last toggled row, from which a Shift+click selects a range. */
  const last = useRef<number | null>(null);
  function choose(id: number, on: boolean, extend = false): void {
    const indexOf = (itemId: number | null) => shown.findIndex(({ item }) => item.id === itemId);
    const [from, to] = [extend ? indexOf(last.current) : -1, indexOf(id)].toSorted((a, b) => a - b) as [
      number,
      number,
    ];
    const range = from < 0 ? [] : shown.slice(from, to + 1).filter(({ client }) => client !== null);
    last.current = id;
    select([...range.map(({ item }) => [item.id, on] as const), [id, on]]);
  }
  // Filed documents also lie in other folders, and belong to other clients.
  const reload = () => refresh(cache);

  /** Loads the folder and name of a document for another client, then sets all three, unless yet another one is chosen. */
  async function assign(id: number, client: Client): Promise<void> {
    latestClients.current.set(id, client);
    const isLatest = () => latestClients.current.get(id) === client;
    setAssigning((old) => new Map(old).set(id, client));
    try {
      const { suggestions } = await filingCalls.suggestions([id], client.id);
      const [suggestion] = suggestions;
      if (!isLatest()) return;
      if (!suggestion) return await reload();
      const { base, folder, name, taken } = suggestion;
      edit(id, { client, base, folder, name, taken, doubts: [] });
      choose(id, true);
    } catch (failure) {
      if (isLatest()) toast.error(messageOf(failure, t.loadFailed));
    } finally {
      if (isLatest()) setAssigning((old) => new Map([...old].filter(([itemId]) => itemId !== id)));
    }
  }

  /** Loads the lists anew after an action that removed its own button. The focus moves when both are there, not to what came first. */
  async function reloadAfter(byKey: boolean): Promise<void> {
    await reload();
    keepFocus(byKey ? undefined : focusScreen);
  }

  async function undo(run: number): Promise<void> {
    const byKey = isByKey();
    leaveFocus();
    try {
      const { filed, failed } = await filingCalls.undo(run);
      setFailures(failed);
      setFiledIds(new Set());
      if (filed.length > 0) toast.success(t.undone(filed.length));
      else toast.error(t.notUndone(failed.length));
    } catch (failure) {
      toast.error(messageOf(failure, t.undoFailed));
    }
    await reloadAfter(byKey);
  }

  /** What is being filed: the buttons of rows stay enabled meanwhile, which keeps the focus on one of them. */
  const underWay = useRef(new Set<number>());

  async function file(asked: readonly Suggestion[]): Promise<void> {
    const suggestionsToFile = asked.filter(({ item }) => !underWay.current.has(item.id));
    if (suggestionsToFile.length === 0) return;
    const byKey = isByKey();
    for (const { item } of suggestionsToFile) underWay.current.add(item.id);
    setBusy(true);
    try {
      const { run, filed, failed } = await filingCalls.file(
        suggestionsToFile.map(({ item, client, folder, name }) => ({
          id: item.id,
          client_id: client!.id,
          folder,
          name,
          seen: { name: item.name, parent_id: item.parent_id },
        })),
      );
      setFailures(failed);
      if (run !== null) toastWithUndo(t.filed(filed.length), () => void undo(run));
      const done = new Set(filed.map(({ id }) => id));
      drop(done);
      if (ids.length > 0) setFiledIds((old) => new Set([...old, ...done]));
      cache.setQueryData(
        filingKey(ids),
        (old: Suggestions | undefined) =>
          old && {
            ...old,
            suggestions: old.suggestions.filter(({ item }) => !done.has(item.id)),
            total: Math.max(0, old.total - done.size),
          },
      );
    } catch (failure) {
      toast.error(messageOf(failure, t.fileFailed));
    } finally {
      for (const { item } of suggestionsToFile) underWay.current.delete(item.id);
      setBusy(underWay.current.size > 0);
    }
    await reloadAfter(byKey);
  }

  return {
    data,
    shown,
    chosen,
    isChosen,
    error: error ? messageOf(error, t.loadFailed) : null,
    fetching: isFetching,
    retry: () => void refetch(),
    reload,
    edit,
    choose,
    chooseAll: (on: boolean) =>
      select(shown.map(({ item, sure, client }) => [item.id, on && sure && client !== null])),
    assign,
    assigning,
    file,
    undo,
    busy,
    failures,
    forgetFailures: () => setFailures([]),
  };
}
