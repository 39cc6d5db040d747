import * as t from '#messages/review.ts';
import { toast } from './toast.ts';

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;
export const isUndo = ({ key, ctrlKey, metaKey, shiftKey, altKey }: Keys): boolean =>
  key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !altKey;

export const nothingToUndo = (): void => void toast.info(t.nothingToUndo);
