// `npm run admin`: runs the commands of the current version, on that version's own Node.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { currentProgram, isReplaced } from './in-current.mjs';

const program = currentProgram();
const admin = join(program, 'server/tools/admin.ts');
if (isReplaced()) {
  const node = join(program, 'node_modules/node/bin/node');
  const { status } = spawnSync(node, [admin, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else await import(admin);
