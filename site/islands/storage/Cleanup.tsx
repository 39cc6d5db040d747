import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Trash2 } from 'lucide-react';
import { LATELY_DAYS } from '#server/dashboard/contract.ts';
import type { BulkResult, ItemView } from '#server/documents/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import * as t from '#messages/storage.ts';
import * as trash from '#messages/trash.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { toast } from '../../lib/toast.ts';
import { trashDays } from '../../lib/trash.ts';
import { toastWithUndo } from '../../lib/undo.ts';
import { deletionText, withStaying, withTimeout } from '../items/staying.ts';
import { undelete } from '../items/undelete.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { Card } from '../../components/Card.tsx';
import { FileLink } from './FileLink.tsx';

export interface CleanupProps {
  largest: readonly ItemView[];
  untouched: readonly ItemView[];
  onDeleted: () => Promise<void>;
}

/** Candidates for deletion: the largest files, and files not opened for long. */
export function Cleanup({ largest, untouched, onDeleted }: CleanupProps) {
  if (largest.length === 0) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
      <Candidates title={t.largestFiles} items={largest} more="/documents?sort=size" onDeleted={onDeleted} />
      <Candidates
        title={t.notOpenedRecently}
        items={untouched}
        more="/documents?direction=asc"
        onDeleted={onDeleted}
      />
    </div>
  );
}

interface CandidatesProps {
  title: string;
  items: readonly ItemView[];
  /** The URL of the complete list. */
  more: string;
  onDeleted: () => Promise<void>;
}

function Candidates({ title, items, more, onDeleted }: CandidatesProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [alert, setAlert] = useState<string | null>(null);
  const cache = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const picked = items.filter(({ id }) => chosen.has(id));
  const room = picked.reduce((sum, { file_size }) => sum + (file_size ?? 0), 0);
  const toggle = (id: number, on: boolean) =>
    setChosen((old) => new Set(on ? [...old, id] : [...old].filter((chosenId) => chosenId !== id)));

  async function remove(): Promise<void> {
    const [first] = picked;
    const days = trashDays();
    const name = picked.length === 1 ? truncateMiddle(first?.name ?? '') : null;
    const staying = await withTimeout(documentCalls.previewRemoval(picked));
    const question = {
      title: name === null ? t.deleteQuestion(picked.length) : t.deleteOneQuestion(name),
      body: days > 0 ? deletionText(picked, days, staying) : t.deleteAbout(picked.length, formatBytes(room)),
      action: name === null ? t.deleteFiles(picked.length) : t.deleteOne(name),
      danger: true,
    };
    if (!(await confirm(withStaying(question, picked.length, staying, t.deleteFiles)))) return;
    setAlert(null);
    try {
      const { done, failed }: BulkResult = await documentCalls.remove(picked);
      setChosen(new Set());
      if (done.length > 0 && days > 0)
        toastWithUndo(trash.moved(done.length), () => void undelete(cache, done));
      else if (done.length > 0) toast.success(t.deleted(done.length));
      if (failed.length > 0) setAlert(t.someFailed(failed.length));
    } catch (error) {
      setAlert(messageOf(error, t.deleteFailed));
    }
    await onDeleted();
    // The pressed button is gone: move the focus to the list.
    list.current?.querySelector('input')?.focus({ preventScroll: true });
  }

  return (
    <Card
      title={title}
      aside={
        picked.length > 0 ? (
          <Button
            data-needs="documents.delete"
            variant="danger-quiet"
            size="sm"
            icon={<Trash2 aria-hidden size={14} />}
            onPress={() => void remove()}
          >
            {t.deletePicked(picked.length, formatBytes(room))}
          </Button>
        ) : (
          <a href={more} className="link text-sm">
            {t.allFiles}
          </a>
        )
      }
    >
      {alert && (
        <Alert onDismiss={() => setAlert(null)} className="mb-2">
          {alert}
        </Alert>
      )}
      {items.length === 0 ? (
        <p className="text-muted">{t.allOpened(LATELY_DAYS)}</p>
      ) : (
        <ul ref={list} aria-label={title} className="divide-y divide-line">
          {items.map((item) => (
            <li key={item.id} className="flex min-h-11 items-center gap-3">
              <Checkbox
                data-needs="documents.delete"
                aria-label={t.selectFile(item.name)}
                isSelected={chosen.has(item.id)}
                onChange={(on) => toggle(item.id, on)}
              />
              <FileGlyph fileType={item.file_type} size={18} className="shrink-0" />
              <FileLink file={item} />
              <span className="tabular shrink-0 text-sm text-muted">{item.size}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
