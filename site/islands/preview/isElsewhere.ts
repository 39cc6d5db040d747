/** A key of somebody who is writing, or answering a dialog over the preview: not the viewer's. */
export const isElsewhere = ({ target }: KeyboardEvent): boolean =>
  (target instanceof Element && target.closest('input, textarea') !== null) ||
  document.querySelector('[role="alertdialog"], [role="dialog"] form') !== null;
