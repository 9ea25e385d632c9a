/** Version of the envelope, independent of the API's (§ Versioning). */
const apiVersion = 'v1';

export interface EventContent {
  readonly id: string;
  readonly type: string;
  /** Unix seconds of the change. */
  readonly createdSeconds: number;
  readonly account: string;
  /** The payload, `data.object`. */
  readonly object: unknown;
}

/** The bytes of an event, made once and sent the same in every delivery (§ Envelope). */
export const encodeEvent = ({ id, type, createdSeconds, account, object }: EventContent): string =>
  JSON.stringify({ id, type, created: createdSeconds, api_version: apiVersion, data: { object }, tenant_id: account });
