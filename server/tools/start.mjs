// `npm start`: makes everything ready, then serves on the project's own Node.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { currentProgram, isReplaced } from './in-current.mjs';
import { node, prepare } from './prepare.mjs';
import { environment, flags } from './runtime.mjs';

/** npm, when it was npm that started this: it may be killed, or end by a signal that it does not pass on. */
const npm = process.env.npm_lifecycle_event === 'start' ? process.ppid : 0;

if (isReplaced()) await import(join(currentProgram(), 'server/tools/start.mjs'));
else {
  prepare('start');
  // Whoever waited for the preparation has gone: nobody wants a server any more.
  if (npm && process.ppid !== npm) process.exit(1);

  const main = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../main.ts');
  const args = [...flags, main];
  const env = { ...environment, ...process.env };
  delete env.ALMIRAH_STARTED_BY;
  if (process.execve) {
    // Takes this process's place, so that no second one waits beside the server.
    if (npm) env.ALMIRAH_STARTED_BY = String(npm);
    process.execve(node, [node, ...args], env);
  } else {
    env.ALMIRAH_STARTED_BY = String(process.pid);
    const server = spawn(node, args, { stdio: 'inherit', env });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
    const watch = setInterval(() => {
      if (!npm || process.ppid === npm) return;
      clearInterval(watch);
      server.kill('SIGTERM');
    }, 1000);
    server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
  }
}
