import { EllipsisVertical, LockOpen, Maximize2, RotateCcw, RotateCw } from 'lucide-react';
import * as t from '#messages/preview.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuTrigger } from '../../components/Menu.tsx';

export interface PdfMenuProps {
  onFitWidth: () => void;
  onRotate: (quarters: number) => void;
  /** The URL of a copy without password; null if the file has no password. */
  unlocked: string | null;
}

const ICON = { size: 18, 'aria-hidden': true } as const;

/** The controls for which the bar has no room on a phone. */
export const PdfMenu = ({ onFitWidth, onRotate, unlocked }: PdfMenuProps) => (
  <MenuTrigger>
    <IconButton label={t.viewOptions}>
      <EllipsisVertical {...ICON} />
    </IconButton>
    <Menu placement="top end">
      <MenuItem id="fit" icon={<Maximize2 {...ICON} />} onAction={onFitWidth}>
        {t.fitWidth}
      </MenuItem>
      <MenuItem id="left" icon={<RotateCcw {...ICON} />} onAction={() => onRotate(-1)}>
        {t.rotateLeft}
      </MenuItem>
      <MenuItem id="right" icon={<RotateCw {...ICON} />} onAction={() => onRotate(1)}>
        {t.rotateRight}
      </MenuItem>
      {unlocked !== null && (
        <MenuItem id="unlocked" href={unlocked} download="" icon={<LockOpen {...ICON} />}>
          {t.withoutPassword}
        </MenuItem>
      )}
    </Menu>
  </MenuTrigger>
);
