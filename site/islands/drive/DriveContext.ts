import { createContext, useContext } from 'react';
import type { Drive } from './useDrive.ts';

export const DriveContext = createContext<Drive | null>(null);

export function useDriveContext(): Drive {
  const drive = useContext(DriveContext);
  if (!drive) throw new Error('useDriveContext is used outside of DriveContext.');
  return drive;
}
