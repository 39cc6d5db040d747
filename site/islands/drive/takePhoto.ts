import { collectChosen } from '../uploads/collect.ts';
import type { Target } from '../uploads/uploads.ts';
import { upload } from '../uploads/uploads.ts';

/** Opens the camera of a phone and uploads the photo. `told` hears why it was not, or null. */
export function takePhoto(target: Target, told: (message: string | null) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = 'image/*';
  input.capture = 'environment';
  input.addEventListener('change', () => told(upload(collectChosen(input.files ?? []), target)));
  input.click();
}
