import { Download, Pencil, Trash2, X } from 'lucide-react';
import type { ItemView, PreviewKind } from '#server/documents/contract.ts';
import { FileGlyph } from '../../../components/FileGlyph.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { MiddleCut } from '../../../components/MiddleCut.tsx';
import { useDriveContext } from '../DriveContext.ts';

export interface PreviewHeaderProps {
  item: ItemView | undefined;
  kind: PreviewKind | null;
  /** `3 of 14`. */
  position: string;
  onClose: () => void;
  onRemove: () => void;
}

const ICON = { size: 18, 'aria-hidden': true } as const;

export function PreviewHeader({ item, position, onClose, onRemove }: PreviewHeaderProps) {
  const { listing, actions, ask } = useDriveContext();
  const above = item?.path ?? listing.breadcrumbs.map(({ name }) => name).join(' / ');
  return (
    <header className="flex h-13 shrink-0 items-center gap-3 border-b border-line bg-surface pr-2 pl-4">
      {item && <FileGlyph fileType={item.file_type} size={22} />}
      <div className="min-w-0 flex-1">
        <h2 className="flex min-w-0 font-medium">{item && <MiddleCut text={item.name} />}</h2>
        <p className="tabular truncate text-xs text-muted">
          {[above || 'My Drive', item?.size, position].filter(Boolean).join(' · ')}
        </p>
      </div>
      {item && (
        <div className="flex shrink-0 items-center">
          <IconButton label="Download" onPress={() => void actions.download([item])}>
            <Download {...ICON} />
          </IconButton>
          <IconButton label="Rename" shortcut="F2" onPress={() => ask({ dialog: 'rename', item })}>
            <Pencil {...ICON} />
          </IconButton>
          <IconButton label="Delete" shortcut="Delete" variant="danger-quiet" onPress={onRemove}>
            <Trash2 {...ICON} />
          </IconButton>
          <span className="mx-1 h-5 w-px bg-line" />
        </div>
      )}
      <IconButton label="Close" shortcut="Esc" onPress={onClose}>
        <X {...ICON} />
      </IconButton>
    </header>
  );
}
