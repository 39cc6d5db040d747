import { createContext, useContext } from 'react';
import type { Actions } from '../items/actions.ts';
import type { Drive } from './useDrive.ts';

export const DriveContext = createContext<(Drive & { actions: Actions }) | null>(null);

export function useDriveContext(): Drive & { actions: Actions } {
  const drive = useContext(DriveContext);
  if (!drive) throw new Error('A part of the drive stands outside of it.');
  return drive;
}
