import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { X } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import type { FieldView } from '#server/fields/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/fields.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { $fieldsPanelOpen, highlightValue } from '../../lib/fields.ts';
import { useMay } from '../../lib/useMay.ts';
import { FieldsBody } from '../fields/FieldsBody.tsx';
import { TableDialog } from '../fields/TableDialog.tsx';
import { useFields } from '../fields/useFields.ts';
import { undoableAnswer } from './undoableAnswer.ts';

const WIDE = '(width >= 48rem)';
const hasRoom = (): boolean => matchMedia(WIDE).matches;
function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

const close = () => $fieldsPanelOpen.set(false);

/** The field values beside the preview; on phones a sheet over it, which closes when a value is highlighted. */
export default function PreviewFields({
  item,
  takesFocus,
  onFocused,
}: {
  item: ItemView;
  /** Whether the panel was opened by a key and takes the focus beside the preview. */
  takesFocus: boolean;
  onFocused: () => void;
}) {
  const panel = useRef<HTMLElement>(null);
  const onShown = () => {
    if (!takesFocus) return;
    onFocused();
    const [first] = panel.current?.querySelectorAll<HTMLElement>('li button, [role="alert"] button') ?? [];
    (first ?? panel.current)?.focus();
  };
  const beside = useSyncExternalStore(subscribe, hasRoom);
  const show = (place: Pick<FieldView, 'page' | 'box'>) => {
    highlightValue(item.id, place);
    if (!beside) close();
  };
  if (!beside)
    return (
      <Dialog title={t.title} isOpen onOpenChange={close} isDismissable>
        <div className="relative -mt-1 min-h-40 flex-1 overflow-y-auto px-5 pb-4">
          <Contents key={item.id} item={item} onShow={show} />
        </div>
      </Dialog>
    );
  return (
    <aside ref={panel} tabIndex={-1} aria-label={t.title} className="preview-fields outline-none">
      <header className="flex h-11 shrink-0 items-center gap-2 pr-2 pl-4">
        <h3 className="min-w-0 flex-1 text-sm font-medium text-muted">{t.title}</h3>
        <IconButton label={common.close} size="sm" onPress={close}>
          <X aria-hidden size={16} />
        </IconButton>
      </header>
      <div className="relative min-h-0 flex-1 overflow-y-auto px-4 pb-4">
        <Contents key={item.id} item={item} onShow={show} onShown={onShown} />
      </div>
    </aside>
  );
}

function Contents({
  item,
  onShow,
  onShown,
}: {
  item: ItemView;
  onShow: (place: Pick<FieldView, 'page' | 'box'>) => void;
  /** Told once the values are there. */
  onShown?: () => void;
}) {
  const { data, error, isFetching, refetch, answer, reading, readAgain } = useFields(item.id);
  const may = useMay();
  const [table, setTable] = useState<number | null>(null);
  const isShown = data !== undefined;
  const tellShown = useEffectEvent(() => onShown?.());
  useEffect(() => {
    if (isShown) tellShown();
  }, [isShown]);
  if (error != null && !data)
    return (
      <Alert onRetry={refetch} retrying={isFetching}>
        {messageOf(error, t.loadFailed)}
      </Alert>
    );
  if (!data) return <Skeleton className="h-24 w-full" />;
  const mayAnswer = may('documents.write');
  return (
    <>
      <FieldsBody
        item={item}
        view={data}
        mayAnswer={mayAnswer}
        onAnswer={undoableAnswer(data, answer)}
        onShow={onShow}
        onTable={may('documents.download') ? setTable : null}
      />
      {mayAnswer && data.state !== 'waiting' && data.state !== 'unread' && (
        <Button
          variant="quiet"
          size="sm"
          busy={reading}
          className="mt-3 -ml-2.5"
          onPress={() => void readAgain()}
        >
          {t.readAgain}
        </Button>
      )}
      {table !== null && <TableDialog item={item} at={table} onClose={() => setTable(null)} />}
    </>
  );
}
