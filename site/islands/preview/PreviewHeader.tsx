import { ChevronLeft, ChevronRight, Download, Lock, Pencil, ScanText, Share2, Trash2, X } from 'lucide-react';
import { useStore } from '@nanostores/react';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/preview.ts';
import * as common from '#messages/common.ts';
import { sealDetails } from '#messages/seals.ts';
import { sentBack, share } from '#messages/items.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { $fieldsPanelOpen } from '../../lib/fields.ts';
import { cx } from '../../lib/cx.ts';
import { formatDate } from '../../lib/format.ts';
import { openPage as openAddress } from '../../lib/navigation.ts';
import { historyHref } from '../../lib/search.ts';
import { useItemScreen } from '../items/ItemListModel.ts';
import type { PreviewAct } from './PreviewMenu.tsx';
import { PreviewMenu } from './PreviewMenu.tsx';

export interface PreviewHeaderProps {
  item: ItemView | undefined;
  /** The file's index among the list's files, from 0; -1 if it is not in the list. */
  index: number;
  count: number;
  /** Whether the request that it was sent for is shown below. */
  ofRequest: boolean;
  /** Show the previous and next buttons in the header at every width, since beside the document they would cover it. */
  turns: boolean;
  /** Shows or hides the values. @param byKey whether that was said by keyboard. */
  onFields: (byKey: boolean) => void;
  /** Moves by this many files. */
  onTurn: (by: number) => void;
  onClose: () => void;
  onRemove: () => void;
  onMove: () => void;
}

const ICON = { size: 18, 'aria-hidden': true } as const;

export function PreviewHeader({
  item,
  index,
  count,
  ofRequest,
  turns,
  onFields,
  onTurn,
  onClose,
  onRemove,
  onMove,
}: PreviewHeaderProps) {
  const { folder, actions, openDialog } = useItemScreen();
  const fields = useStore($fieldsPanelOpen, { ssr: 'initial' });
  const above = item?.path ?? folder.path;
  const original = item?.original_at && t.originalDate(formatDate(item.original_at));
  const place = index >= 0 ? t.placeOf(index + 1, count) : '';
  // With its request, this and its reason are below.
  const isMarked = !ofRequest && item?.sent_back !== undefined;
  const act = (action: PreviewAct) => {
    if (!item) return;
    if (action === 'download') void actions.download([item]);
    else if (action === 'delete') onRemove();
    else if (action === 'move') onMove();
    else if (action === 'history') openAddress(historyHref('item', item.id));
    else if (action === 'share' || action === 'client' || action === 'labels' || action === 'rename')
      openDialog({ dialog: action, items: [item] });
    else openDialog({ dialog: action, item });
  };
  return (
    <header className="flex h-13 shrink-0 items-center gap-3 border-b border-line bg-surface pr-2 pl-4 max-sm:gap-2 max-sm:pl-3">
      {item && <FileGlyph fileType={item.file_type} size={22} />}
      <div className="min-w-0 flex-1">
        <h2 className="flex min-w-0 font-medium">{item && <MiddleCut text={item.name} />}</h2>
        <p className="tabular flex text-xs whitespace-pre text-muted">
          {isMarked && (
            <span title={item.sent_back || undefined} className="shrink-0 text-warning-text">
              {sentBack}
              {item.sent_back && <span className="sr-only">: {item.sent_back}</span>}
              {' · '}
            </span>
          )}
          <span className="truncate max-sm:hidden">{above || common.myDrive}</span>
          {original && <span className="shrink-0 max-md:hidden"> · {original}</span>}
          {item?.size && (
            // On a phone there is room for the mark or the size.
            <span className={cx('shrink-0', isMarked && 'max-sm:hidden')}>
              <span className="max-sm:hidden"> · </span>
              {item.size}
              {place && ' · '}
            </span>
          )}
          {place && <span className="shrink-0">{place}</span>}
        </p>
      </div>
      <div className="flex shrink-0 items-center">
        {/* Below this width there is no room for the buttons beside the document. */}
        <span className={turns ? 'flex' : 'flex md:hidden'}>
          <IconButton label={t.previousFile} isDisabled={index <= 0} onPress={() => onTurn(-1)}>
            <ChevronLeft {...ICON} />
          </IconButton>
          <IconButton
            label={t.nextFile}
            isDisabled={index < 0 || index >= count - 1}
            onPress={() => onTurn(1)}
          >
            <ChevronRight {...ICON} />
          </IconButton>
        </span>
        {item && (
          <IconButton
            label={t.showFields}
            shortcut="I"
            active={fields}
            aria-pressed={fields}
            onPress={({ pointerType }) => onFields(pointerType === 'keyboard' || pointerType === 'virtual')}
          >
            <ScanText {...ICON} />
          </IconButton>
        )}
        {item && (
          <span className="flex items-center max-md:hidden">
            {turns && <span className="mx-2 h-5 w-px bg-line" />}
            {item.seal ? (
              <IconButton label={sealDetails} onPress={() => act('seal')}>
                <Lock {...ICON} />
              </IconButton>
            ) : (
              <>
                {/* Delete is as far as possible from Close. */}
                <IconButton
                  data-needs="documents.delete"
                  label={common.remove}
                  shortcut="Delete"
                  variant="danger-quiet"
                  onPress={() => act('delete')}
                >
                  <Trash2 {...ICON} />
                </IconButton>
                <span className="mx-2 h-5 w-px bg-line" />
                <IconButton
                  data-needs="documents.write"
                  label={t.rename}
                  shortcut="F2"
                  onPress={() => act('rename')}
                >
                  <Pencil {...ICON} />
                </IconButton>
              </>
            )}
            <IconButton
              data-needs="documents.download"
              label={common.download}
              onPress={() => act('download')}
            >
              <Download {...ICON} />
            </IconButton>
            <IconButton data-needs="share" label={share} onPress={() => act('share')}>
              <Share2 {...ICON} />
            </IconButton>
          </span>
        )}
        {item && <PreviewMenu item={item} act={act} />}
        {item && <span className="mx-2 h-5 w-px bg-line max-md:hidden" />}
        <IconButton label={common.close} shortcut="Esc" onPress={onClose}>
          <X {...ICON} />
        </IconButton>
      </div>
    </header>
  );
}
