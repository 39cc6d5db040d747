/** A command cannot run as given; the message says what to do. Shown without a stack trace. */
export class Refused extends Error {
  override name = 'Refused';
}

/** What was typed is no way to use the command: exit code 2, as for a missing argument. */
export class WrongUsage extends Refused {
  override name = 'WrongUsage';
}
