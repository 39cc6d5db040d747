import { isDialogOpen, isInField } from '../../lib/overlay.ts';

/** A key of somebody who is writing, or reading a dialog over the preview: not the viewer's. */
export const isElsewhere = ({ target }: KeyboardEvent): boolean =>
  (target instanceof Element && isInField(target)) || isDialogOpen('.preview-layer');
