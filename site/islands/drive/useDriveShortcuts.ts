import { useShortcuts } from '../items/useShortcuts.ts';
import { may } from '../../lib/permissions.ts';
import { useDriveContext } from './DriveContext.ts';

/** The keys of a folder, beside those that every screen of items has. */
export function useDriveShortcuts(): void {
  const { up, cut, setCut, actions, folder, listing } = useDriveContext();
  useShortcuts((combination, meant) => {
    switch (combination) {
      case 'Alt+ArrowUp':
      case 'Backspace':
        up();
        return true;
      case 'Alt+n':
      case 'Ctrl+u':
        // Nothing is made in a sealed folder, as the banner says; the browser's own meaning is not wanted either.
        return listing.seal !== null;
      case 'Ctrl+x':
        if (meant.every(({ seal }) => seal) || !may('documents.write')) return false;
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
