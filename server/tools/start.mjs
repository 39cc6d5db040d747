// `npm start`: makes everything ready, then serves on the project's own Node.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { node, prepare } from './prepare.mjs';

prepare('start');
const main = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../main.ts');
if (Number(process.versions.node.split('.')[0]) === 24) {
  await import(main);
} else {
  // The first time, npm found the machine's Node: ours was not there yet.
  const server = spawn(node, [main], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
  server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
