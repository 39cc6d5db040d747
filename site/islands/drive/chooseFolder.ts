import { collectChosen } from '../uploads/collect.ts';
import type { Target } from '../uploads/uploads.ts';
import { upload } from '../uploads/uploads.ts';

/** Lets the user choose a folder of their computer, and uploads it. `onResult` gets an error message, or null. */
export function chooseFolder(target: Target, onResult: (message: string | null) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = true;
  input.addEventListener('change', () => onResult(upload(collectChosen(input.files ?? []), target)));
  input.click();
}
