// CopyTyped.tsx: for what was typed and cannot be saved any more.
export const copyText = 'Copy text';
export const textCopied = 'Text copied';
export const copyBlocked = 'The browser does not allow copying here. Select the text and copy it.';
