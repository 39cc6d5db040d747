import type { WindowState } from '#desktop/window/state.ts';

export type Shown = WindowState;
export type ShownFile = WindowState['files'][number];
export type ShownFolder = WindowState['folders'][number];
export type ShownVault = WindowState['vaults'][number];
/** A chosen target in a vault. */
export interface Target {
  vault: number;
  parent_id: number | null;
  client_id: number | null;
  target: string;
}
