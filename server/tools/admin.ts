import { join } from 'node:path';
import { isBuilt } from './prepare.mjs';

// The build joins all modules of the commands (`bundle.ts`): loading them one by one takes most of the time of a short command.
const bundled = join(import.meta.dirname, '../../dist/program/command-line.js');
await import(isBuilt() ? bundled : './command-line.ts');
