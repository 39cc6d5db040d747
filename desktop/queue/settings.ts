import type { Database } from './database.ts';

export interface Settings {
  paused: boolean;
  /** Bytes per second; 0 for no limit. */
  speed_limit: number;
}
const DEFAULTS: Settings = { paused: false, speed_limit: 0 };

export function createSettings(db: Database) {
  return {
    get<K extends keyof Settings>(name: K): Settings[K] {
      const row = db.prepare('SELECT value FROM settings WHERE name = ?').get(name);
      return row ? (JSON.parse(String(row.value)) as Settings[K]) : DEFAULTS[name];
    },
    set<K extends keyof Settings>(name: K, value: Settings[K]): void {
      db.prepare(
        'INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      ).run(name, JSON.stringify(value));
    },
  };
}
export type SettingsStore = ReturnType<typeof createSettings>;
