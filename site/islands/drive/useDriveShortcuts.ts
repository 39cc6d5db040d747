import { useShortcuts } from '../items/useShortcuts.ts';
import { mayNow } from '../../lib/permissions.ts';
import { useDriveContext } from './DriveContext.ts';

/** The keys of a folder, beside those that every screen of items has. */
export function useDriveShortcuts(): void {
  const { up, cut, setCut, actions, folder } = useDriveContext();
  useShortcuts((combination, meant) => {
    switch (combination) {
      case 'Alt+ArrowUp':
      case 'Backspace':
        up();
        return true;
      case 'Ctrl+x':
        if (meant.length === 0 || !mayNow('documents.write')) return false;
        setCut(meant);
        return true;
      case 'Ctrl+v':
        if (cut.size === 0) return false;
        void actions.move([...cut.values()], folder);
        return true;
      case 'Escape':
        if (cut.size === 0) return false;
        setCut([]);
        return true;
      default:
        return false;
    }
  });
}
