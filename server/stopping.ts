/** The reason of the signals of work that ends because the server stops; such work is done again after the next start. */
export class ServerStopping extends Error {
  override name = 'ServerStopping';
  constructor() {
    super('The server was stopped.');
  }
}
