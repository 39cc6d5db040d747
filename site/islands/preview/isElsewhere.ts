import { isDialogOpen, isInField } from '../../lib/overlay.ts';

/** Whether a key belongs to a field, or to a dialog over the preview, and not to the viewer. */
export const isElsewhere = ({ target }: KeyboardEvent): boolean =>
  (target instanceof Element && isInField(target)) || isDialogOpen('.preview-layer');
