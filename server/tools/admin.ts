import { join } from 'node:path';
import { isBuilt } from './prepare.mjs';

// The build joins all modules of the commands (`bundle.ts`): loading them one by one takes most of the time of a short command.
const bundled = join(import.meta.dirname, '../../dist/program/commands.js');
await import(isBuilt() ? bundled : './commands.ts');
