import { useRef } from 'react';
import { nothingChanges } from '#messages/seals.ts';
import { useItemShortcuts } from '../items/useItemShortcuts.ts';
import { may } from '../../lib/permissions.ts';
import { toast } from '../../lib/toast.ts';
import { useDriveContext } from './DriveContext.ts';

/** The drive's shortcuts, in addition to those of every item screen. */
export function useDriveShortcuts(): void {
  const { up, cut, setCut, actions, folder, listing } = useDriveContext();
  const pasting = useRef<typeof cut>(null);
  async function paste(): Promise<void> {
    // A held key would move the same items again and again.
    if (pasting.current === cut) return;
    pasting.current = cut;
    await actions.move([...cut.values()], folder);
    if (pasting.current === cut) pasting.current = null;
  }
  useItemShortcuts((combination, targets) => {
    switch (combination) {
      case 'Alt+ArrowUp':
      case 'Backspace':
        up();
        return true;
      case 'Alt+n':
      case 'Ctrl+u':
        if (listing.seal) toast.error(nothingChanges);
        return listing.seal !== null;
      case 'Ctrl+x':
        if (targets.every(({ seal }) => seal) || !may('documents.write')) return false;
        setCut(targets);
        return true;
      case 'Ctrl+v':
        if (cut.size === 0) return false;
        void paste();
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
