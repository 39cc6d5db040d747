import { collectChosen } from '../uploads/collect.ts';
import type { Target } from '../uploads/uploads.ts';
import { upload } from '../uploads/uploads.ts';

/** Opens the phone's camera, and uploads the photo. `onResult` gets an error message, or null. */
export function takePhoto(target: Target, onResult: (message: string | null) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = 'image/*';
  input.capture = 'environment';
  input.addEventListener('change', () => onResult(upload(collectChosen(input.files ?? []), target)));
  input.click();
}
