import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import * as t from '#messages/details.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { CopyTyped } from '../../components/CopyTyped.tsx';
import { ApiError } from '../../lib/apiError.ts';
import { dropDraft } from '../../lib/drafts.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import type { Draft } from '../../lib/unsaved.ts';
import { $drafts } from '../../lib/unsaved.ts';
import { itemDetails } from '../../lib/itemDetails.ts';

/** The notes and values that were typed on other items than `shown` and are not saved, and those whose item is gone. */
export function UnsavedDrafts({ shown }: { shown: number | null }) {
  const drafts = useStore($drafts, { ssr: 'initial' });
  return [...drafts].flatMap(([key, { text, note, value }]) => {
    const about = { draftKey: key, text, shown };
    if (note)
      return [<UnsavedDraft key={key} {...about} item={note.item} title={t.noteUnsaved(note.item.name)} />];
    if (!value) return [];
    const { name, item } = value;
    return [<UnsavedDraft key={key} {...about} item={item} title={t.valueUnsaved(name, item.name)} />];
  });
}

interface UnsavedDraftProps {
  draftKey: string;
  text: string;
  item: NonNullable<Draft['note']>['item'];
  title: string;
  shown: number | null;
}

function UnsavedDraft({ draftKey, text, item, title, shown }: UnsavedDraftProps) {
  const { data, error } = useQuery(itemDetails(item.id));
  const gone = error instanceof ApiError && error.status === 404;
  if (!gone && (item.id === shown || !data)) return null;
  return (
    <div className="px-4 pt-1 pb-3">
      <Alert tone={gone ? 'warning' : 'info'} title={title}>
        {gone && <p>{t.noteItemGone}</p>}
        <p dir="auto" className="my-1.5 max-h-40 overflow-y-auto break-words whitespace-pre-wrap" data-draft>
          {text}
        </p>
        <div className="flex flex-wrap gap-2">
          {gone ? (
            <CopyTyped text={text} />
          ) : (
            <a
              href={driveHref({ folderId: data!.item.parent_id, highlightId: item.id })}
              className={buttonClass('secondary', 'sm')}
            >
              {t.backToNote}
            </a>
          )}
          <Button size="sm" variant="danger-quiet" onPress={() => dropDraft(draftKey)}>
            {t.discardNote}
          </Button>
        </div>
      </Alert>
    </div>
  );
}
