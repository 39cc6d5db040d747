import { FolderTree, Inbox, X } from 'lucide-react';
import * as t from '#messages/clients.ts';
import { newRequest } from '#messages/requests.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Tooltip } from '../../components/Tooltip.tsx';
import type { Selecting } from './useSelection.ts';

interface SelectionBarProps {
  selecting: Selecting;
  /** The number of clients that match the filter; null until it is known. */
  shown: number | null;
  onAll: () => void;
  onAsk: () => void;
  onTemplate: () => void;
}

/** The actions for the selected clients. */
export function SelectionBar({
  selecting: { chosen, loading, end },
  shown,
  onAll,
  onAsk,
  onTemplate,
}: SelectionBarProps) {
  const count = chosen?.size ?? 0;
  return (
    <div
      role="toolbar"
      aria-label={t.selection}
      className="flex min-h-9 flex-auto flex-wrap items-center gap-1 rounded-md border border-accent-line bg-accent-soft px-1.5 py-0.5"
    >
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- in place of the pressed button, which is gone */}
      <IconButton label={t.leaveSelection} shortcut="Esc" size="sm" autoFocus onPress={end}>
        <X aria-hidden size={16} />
      </IconButton>
      <span role="status" className="tabular font-medium whitespace-nowrap">
        {t.selected(count)}
      </span>
      <Button variant="quiet" size="sm" busy={loading} onPress={onAll}>
        {shown === null ? t.selectAllShown : t.selectAll(shown)}
      </Button>
      <Button
        data-needs="share"
        size="sm"
        className="sm:ml-auto"
        icon={<Inbox aria-hidden size={16} />}
        onPress={onAsk}
        isDisabled={count === 0}
      >
        {newRequest}
      </Button>
      <Tooltip text={t.applyTemplate}>
        <Button
          data-needs="documents.write"
          size="sm"
          icon={<FolderTree aria-hidden size={16} />}
          onPress={onTemplate}
          isDisabled={count === 0}
        >
          {/* Between these widths the filters are beside this bar, which has to leave them their room. */}
          <span className="min-[1280px]:max-[1500px]:sr-only">{t.applyTemplate}</span>
        </Button>
      </Tooltip>
    </div>
  );
}
