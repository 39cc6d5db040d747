import type { ItemView } from '#server/documents/contract.ts';
import { may } from '../../lib/permissions.ts';

/** A ZIP file that is sealed by itself can be unpacked beside it; one in a sealed folder cannot. */
export const mayUnpack = ({ id, seal, file_type }: Pick<ItemView, 'id' | 'seal' | 'file_type'>): boolean =>
  file_type === 'zip' && may('documents.write') && (!seal || seal.item_id === id);
