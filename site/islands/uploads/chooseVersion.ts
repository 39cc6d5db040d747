import type { ItemView } from '#server/documents/contract.ts';
import { startFailed } from '#messages/uploads.ts';
import { importWithRetry } from '../../lib/lazyWithRetry.ts';

/** Lets the user choose a file, and uploads it as a new version of `item`. `onResult` gets an error message, or null. */
export function chooseVersion(item: ItemView, onResult: (message: string | null) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (!file) return;
    importWithRetry(() => import('./uploadVersion.ts')).then(
      ({ uploadVersion }) => onResult(uploadVersion(file, item)),
      () => onResult(startFailed),
    );
  });
  input.click();
}
