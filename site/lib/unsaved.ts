/** The forms and dialogs of the page that hold something typed and not saved; see `useUnsaved`. */
export const unsaved = new Set<object>();

/** The page is left without a question: nothing can be saved any more, and nobody may go on reading. */
export const leaveUnsaved = (): void => unsaved.clear();
