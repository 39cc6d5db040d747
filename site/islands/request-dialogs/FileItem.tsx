import { Check, CornerUpLeft, RotateCcw } from 'lucide-react';
import { useRef } from 'react';
import type { RequestFile } from '#server/requests/contract.ts';
import * as t from '#messages/requests.ts';
import { Badge } from '../../components/Badge.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { formatBytes } from '../../lib/format.ts';
import { ReasonForm } from './ReasonForm.tsx';
import type { JudgingProps } from './useJudging.ts';
import { useJudging } from './useJudging.ts';

const ICON = { size: 16, 'aria-hidden': true } as const;

export interface FileItemProps extends JudgingProps {
  file: RequestFile;
  folderId: number | null;
  requestId: number;
  /** Why it was sent back; null when that is said of its document. */
  reason: string | null;
  /** Whether it can be accepted or sent back by itself. */
  mayJudge: boolean;
  /** Whether the badge of its document says how it was judged. */
  isJudgedByRow: boolean;
}

/** A received file of a document. */
export function FileItem({
  file,
  folderId,
  requestId,
  reason,
  mayJudge,
  isJudgedByRow,
  ...props
}: FileItemProps) {
  const askButton = useRef<HTMLButtonElement>(null);
  const judging = useJudging(props, askButton);
  const extension = /\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase() ?? null;
  const isAccepted = file.judged === 'accepted';
  const isReturned = file.judged === 'returned';
  const notes = [
    formatBytes(file.size),
    file.reason === 'locked' && t.locked,
    file.item_id === null && !file.in_trash && (file.is_waiting ? t.notYetInDrive : t.notInDrive),
  ];
  return (
    <li>
      <div className="flex items-start gap-2">
        <span className="flex h-8 shrink-0 items-center pointer-coarse:h-11">
          <FileGlyph fileType={extension} size={18} />
        </span>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 py-1 pointer-coarse:py-2.5">
          {file.item_id === null ? (
            <span className="min-w-0 wrap-anywhere text-muted">{file.name}</span>
          ) : (
            <a
              href={`${folderId === null ? '/dashboard' : `/dashboard/folder/${folderId}`}?preview=${file.item_id}&request=${requestId}`}
              className="link min-w-0 wrap-anywhere"
            >
              {file.name}
            </a>
          )}
          {file.is_new && <Badge tone="accent">{t.isNew}</Badge>}
          {file.judged && !isJudgedByRow && (
            <Badge tone={isAccepted ? 'success' : 'warning'}>{t.rowStates[file.judged]}</Badge>
          )}
          <span className="text-sm text-muted">
            {notes.filter(Boolean).join(' · ')}
            {file.in_trash && (
              <>
                {' · '}
                <a href={`/trash?${new URLSearchParams({ search: file.name })}`} className="link">
                  {t.inTrash}
                </a>
              </>
            )}
          </span>
          {reason && (
            <span className="basis-full text-sm wrap-anywhere text-muted">{t.reasonGiven(reason)}</span>
          )}
        </div>
        {mayJudge && !file.is_waiting && (
          <span className="flex shrink-0 py-0.5 pointer-coarse:py-0">
            {/* The same buttons before and after, so that they keep the focus. */}
            <IconButton
              size="sm"
              label={isAccepted ? t.undoAcceptRow(file.name) : t.acceptRow(file.name)}
              onPress={isAccepted ? judging.undo : judging.accept}
            >
              {isAccepted ? <RotateCcw {...ICON} /> : <Check {...ICON} />}
            </IconButton>
            {!isAccepted && (
              <IconButton
                ref={askButton}
                size="sm"
                label={isReturned ? t.undoReturnRow(file.name) : t.sendBackRow(file.name)}
                onPress={isReturned ? judging.undo : judging.ask}
              >
                {isReturned ? <RotateCcw {...ICON} /> : <CornerUpLeft {...ICON} />}
              </IconButton>
            )}
          </span>
        )}
      </div>
      {judging.asking && <ReasonForm {...judging.form} />}
    </li>
  );
}
