import { useEffect, useState } from 'react';
import { Download, FolderInput, Share2, Trash2, UserRound } from 'lucide-react';
import { formatBytes } from '#server/text/format-bytes.ts';
import * as t from '#messages/items.ts';
import { share } from '#messages/sharing.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { formatCount } from '../../lib/format.ts';
import { useItemList, useItemScreen } from './ItemListModel.ts';
import { SelectAllButton, SelectionAction, SelectionToolbar } from './SelectionToolbar.tsx';

/** `3 selected`, and the size of the files; folders have none of their own. Of a list that is not all there, it says so. */
function useSelectionText() {
  const { chosen, rows } = useItemList();
  const loaded = Boolean(rows.rest) && chosen.length === rows.order.length;
  const bytes = chosen.reduce((total, item) => total + (item.file_size ?? 0), 0);
  return {
    text: loaded ? t.selectedLoaded(chosen.length) : t.selected(chosen.length),
    loaded,
    size: bytes > 0 ? ` · ${formatBytes(bytes)}` : '',
  };
}

export function BulkBar() {
  const { chosen, rows, ask, actions } = useItemScreen();
  const { text, loaded, size } = useSelectionText();
  const { rest } = rows;
  const none = chosen.length === 0;
  const fixed = chosen.every((item) => item.seal);
  const icon = { size: 16, 'aria-hidden': true } as const;
  return (
    <SelectionToolbar>
      <span className="tabular min-w-0 flex-1 truncate font-medium">
        {/* A phone has room for the number and for the way to all of them. */}
        {rest && <span className="sm:hidden">{formatCount(chosen.length)}</span>}
        <span className={rest && 'max-sm:hidden'}>
          {text}
          <span className={loaded ? 'max-lg:hidden' : 'max-sm:hidden'}>{size}</span>
        </span>
      </span>
      <SelectAllButton />
      <span className="mx-1 h-5 w-px bg-accent-line max-sm:hidden" />
      <SelectionAction
        label={common.download}
        data-needs="documents.download"
        isDisabled={none}
        onPress={() => void actions.download(chosen)}
        icon={<Download {...icon} />}
      />
      <SelectionAction
        label={share}
        data-needs="share"
        isDisabled={none}
        onPress={() => ask({ dialog: 'share', items: chosen })}
        icon={<Share2 {...icon} />}
      />
      <SelectionAction
        label={t.moveTo}
        data-needs="documents.write"
        isDisabled={fixed}
        onPress={() => ask({ dialog: 'move', items: chosen })}
        icon={<FolderInput {...icon} />}
      />
      {/* On small screens it is in the menu of what is selected. */}
      <Button
        data-needs="documents.write"
        variant="quiet"
        size="sm"
        isDisabled={fixed}
        onPress={() => ask({ dialog: 'client', items: chosen })}
        icon={<UserRound {...icon} />}
        className="max-lg:hidden!"
      >
        {t.changeClient}
      </Button>
      <SelectionAction
        label={common.remove}
        data-needs="documents.delete"
        danger
        isDisabled={fixed}
        onPress={() => void actions.remove(chosen)}
        icon={<Trash2 {...icon} />}
      />
    </SelectionToolbar>
  );
}

/** Tells readers what is selected, once it has stayed so for a moment. */
export function SelectionStatus() {
  const { chosen } = useItemList();
  const { text: words, size } = useSelectionText();
  const text = words + size;
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(chosen.length === 0 ? '' : text), 400);
    return () => clearTimeout(timer);
  }, [chosen.length, text]);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
