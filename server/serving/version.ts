import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Version of this program from package.json, such as `1.4.0`. */
export const version = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }
).version;
