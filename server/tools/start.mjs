// `npm start`: makes everything ready, then serves on the project's own Node.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { node, prepare } from './prepare.mjs';
import { environment, flags } from './runtime.mjs';

prepare('start');
const main = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../main.ts');
const args = [...flags, main];
const env = { ...environment, ...process.env };
if (process.execve) {
  // Takes this process's place, so that no second one waits beside the server.
  process.execve(node, [node, ...args], env);
} else {
  const server = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
  server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
