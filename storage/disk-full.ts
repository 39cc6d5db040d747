const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Whether the file system reports a full disk, a full quota or its limit of a file's size: all need more space. */
export const isDiskFull = (error: unknown): boolean =>
  FULL.includes((error as NodeJS.ErrnoException | null)?.code ?? '');
