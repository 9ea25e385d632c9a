/**
 * Maximum bytes of a response as Lambda sends it (decisions §3), less a reserve for headers and for
 * what encloses the measured value. Lambda itself ends at 6 MB.
 */
export const maxSentBytes = 5_000_000 - 20_000;

/**
 * Returns the bytes of a value in a response of the API as Lambda sends it: the body is JSON, and is
 * escaped again as a text of the payload. A quote takes 4 bytes, a control character up to 7. The
 * result of an action is not escaped again, so it takes fewer.
 */
export const sentBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
