import type { ItemView } from '#server/documents/contract.ts';
import { may } from '../../lib/permissions.ts';

/** Whether files can be added beside a file. They can beside one with its own seal, but not in a sealed folder. */
export const mayAddBeside = ({ id, seal }: Pick<ItemView, 'id' | 'seal'>): boolean =>
  may('documents.write') && (!seal || seal.item_id === id);

/** Whether a ZIP file can be extracted. */
export const mayUnpack = (item: Pick<ItemView, 'id' | 'seal' | 'file_type'>): boolean =>
  item.file_type === 'zip' && mayAddBeside(item);
