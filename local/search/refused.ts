/** An answer in Typesense's error shape, `{ message }`. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** For what the engine would do and this one does not. */
export const beyondStandIn = (what: string): Refused => new Refused(400, `This is a stand-in of Typesense for trying things out: ${what}`);
