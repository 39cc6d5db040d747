/** What an admin did or has is not what a command needs; the message says what to do. Shown without a stack. */
export class Refused extends Error {
  override name = 'Refused';
}
