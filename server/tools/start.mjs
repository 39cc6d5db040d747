// `npm start`: prepares the program, then runs the server on the project's own Node.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { currentProgram, isReplaced } from './in-current.mjs';
import { node, prepare } from './prepare.mjs';
import { environment, flags } from './runtime.mjs';
import { settingsOf } from './start-options.mjs';

/** The npm process that started this one, if any: npm may be killed, or end by a signal that it does not forward. */
const npm = process.env.npm_lifecycle_event === 'start' ? process.ppid : 0;

function settingsGiven() {
  try {
    return settingsOf(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

if (isReplaced()) await import(join(currentProgram(), 'server/tools/start.mjs'));
else {
  const given = settingsGiven();
  prepare('start');
  // npm ended during the preparation, so do not start a server that nobody could stop.
  if (npm && process.ppid !== npm) process.exit(1);

  const main = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../main.ts');
  const args = [...flags, main];
  const env = { ...environment, ...process.env, ...given };
  delete env.ALMIRAH_STARTED_BY;
  if (process.execve) {
    // Replaces this process, so that no second one waits beside the server.
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
