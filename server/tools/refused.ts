/** A command cannot run as given; the message says what to do. Shown without a stack trace. */
export class Refused extends Error {
  override name = 'Refused';
}
