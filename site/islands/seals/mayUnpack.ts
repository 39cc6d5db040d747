import type { ItemView } from '#server/documents/contract.ts';
import { may } from '../../lib/permissions.ts';

/** Whether a ZIP file can be extracted. A file with its own seal can, beside it; a file in a sealed folder cannot. */
export const mayUnpack = ({ id, seal, file_type }: Pick<ItemView, 'id' | 'seal' | 'file_type'>): boolean =>
  file_type === 'zip' && may('documents.write') && (!seal || seal.item_id === id);
