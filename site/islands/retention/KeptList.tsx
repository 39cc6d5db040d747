import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { KeptFile, KeptState, RuleView } from '#server/documents/retention/contract.ts';
import { KEPT_STATES } from '#server/documents/retention/contract.ts';
import { MAX_ITEMS_PER_CALL } from '#server/documents/changes/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/retention.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Select } from '../../components/Select.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { retentionCalls } from '../../lib/retention.ts';
import { useDebounced } from '../../lib/useDebounced.ts';
import { KeptRow } from './KeptRow.tsx';

const DestroyDialog = lazyWithRetry(() => import('./DestroyDialog.tsx'));

const ANY = 'any';
const DEBOUNCE_MS = 200;
/** The page size when all files are selected. */
const SELECT_ALL_LIMIT = '1000';

/** The query key of a list of files under retention rules. */
export const keptKey = (state: KeptState, rule = '', search = '') =>
  ['retention', 'files', { state, rule, search }] as const;

interface KeptListProps {
  first: KeptState;
  rules: readonly RuleView[];
  onChanged: () => Promise<unknown>;
}

/** The files under retention rules, and the selection of those to destroy. */
export function KeptList({ first, rules, onChanged }: KeptListProps) {
  const [state, setState] = useState<KeptState>(first);
  const [rule, setRule] = useState(ANY);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlyMap<number, number>>(new Map());
  const [selectingAll, setSelectingAll] = useState(false);
  const [alert, setAlert] = useState<string | null>(null);
  const [destroying, setDestroying] = useState(false);
  const debouncedSearch = useDebounced(search, DEBOUNCE_MS);
  const query = { state, rule: rule === ANY ? '' : rule, search: debouncedSearch };
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: keptKey(query.state, query.rule, query.search),
      queryFn: ({ pageParam, signal }) => retentionCalls.files({ ...query, ...cursorOf(pageParam) }, signal),
      initialPageParam: '',
      getNextPageParam: (page) => page.next_cursor,
    });
  const files = data?.pages.flatMap(({ items }) => items);
  const total = data?.pages[0]?.total ?? null;
  const selectable = state === 'run_out';
  /** The list is not yet that of the typed search. */
  const isOutdated = !files || search !== debouncedSearch;
  const clears = useRef(0);
  const clear = () => {
    clears.current += 1;
    setChosen(new Map());
  };

  function choose({ id, bytes }: KeptFile, on: boolean): void {
    if (isOutdated) return;
    const next = new Map(chosen);
    if (on) next.set(id, bytes);
    else next.delete(id);
    setChosen(next);
  }

  async function chooseAll(): Promise<void> {
    setSelectingAll(true);
    setAlert(null);
    const all = new Map<number, number>();
    const clearsBefore = clears.current;
    try {
      let cursor: string | null = '';
      while (cursor !== null && all.size < MAX_ITEMS_PER_CALL) {
        const page = await retentionCalls.files({ ...query, ...cursorOf(cursor), limit: SELECT_ALL_LIMIT });
        for (const { id, bytes, stays } of page.items)
          if (stays === null && all.size < MAX_ITEMS_PER_CALL) all.set(id, bytes);
        cursor = page.next_cursor;
      }
      // A changed filter cleared the selection, and these files may not be in its list.
      if (clears.current === clearsBefore) {
        if (cursor !== null) setAlert(t.tooMany);
        setChosen(all);
      }
    } catch (failure) {
      setAlert(messageOf(failure, t.loadFailed));
    }
    setSelectingAll(false);
  }

  return (
    <Card
      title={t.documents}
      aside={total !== null && <p className="tabular text-sm text-muted">{t.files(total)}</p>}
    >
      <div className="flex flex-wrap items-center gap-2" role="search" aria-label={common.filters}>
        <Select
          label={t.state}
          hideLabel
          options={KEPT_STATES.map((id) => ({ id, label: t.states[id] }))}
          value={state}
          onChange={(key) => {
            setState(key as KeptState);
            clear();
          }}
          className="min-w-36 flex-1 sm:flex-none"
        />
        <Select
          label={t.rule}
          hideLabel
          options={[
            { id: ANY, label: t.allRules },
            ...rules.map(({ id, name }) => ({ id: String(id), label: name })),
          ]}
          value={rule}
          onChange={(key) => {
            setRule(String(key));
            clear();
          }}
          className="min-w-36 flex-1 sm:w-52 sm:flex-none"
        />
        <SearchField
          label={t.search}
          placeholder={t.search}
          value={search}
          onChange={(text) => {
            setSearch(text);
            clear();
          }}
          className="min-w-48 flex-1"
        />
      </div>
      {selectable && !error && files?.length !== 0 && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button
            busy={selectingAll}
            isDisabled={isOutdated}
            onPress={() => (chosen.size > 0 ? clear() : void chooseAll())}
          >
            {chosen.size > 0 ? t.chooseNone : t.chooseAll}
          </Button>
          <Button
            variant="danger-quiet"
            data-needs="documents.delete"
            isDisabled={chosen.size === 0}
            onPress={() => setDestroying(true)}
          >
            {t.destroy}
          </Button>
          <p role="status" className="tabular text-sm text-muted">
            {chosen.size > 0 && t.chosen(chosen.size)}
          </p>
        </div>
      )}
      {alert && (
        <Alert onDismiss={() => setAlert(null)} className="mt-3">
          {alert}
        </Alert>
      )}
      {error && (
        <Alert onRetry={() => void refetch()} retrying={isFetching} className="mt-3">
          {messageOf(error, t.loadFailed)}
        </Alert>
      )}
      {!files && !error && <LoadingRows />}
      {files?.length === 0 && (
        <div className="py-6 text-center">
          <p className="font-medium">{t.none[state]}</p>
          <p className="text-pretty text-muted">
            {debouncedSearch !== '' || rule !== ANY ? t.noMatch : t.noneAbout[state]}
          </p>
        </div>
      )}
      {files && files.length > 0 && (
        <ul aria-label={t.documents} className="mt-2 divide-y divide-line">
          {files.map((file) => (
            <KeptRow
              key={file.id}
              file={file}
              selectable={selectable}
              chosen={chosen.has(file.id)}
              onChoose={(on) => choose(file, on)}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button className="mt-3" busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t.more}
        </Button>
      )}
      {destroying && (
        <DestroyDialog
          files={chosen}
          onDone={async () => {
            clear();
            await onChanged();
          }}
          onClose={() => setDestroying(false)}
        />
      )}
    </Card>
  );
}

/** The cursor of the first page is ''. */
const cursorOf = (cursor: string) => (cursor === '' ? {} : { cursor });
