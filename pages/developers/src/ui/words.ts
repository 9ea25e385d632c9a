const statuses: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  301: 'Moved permanently',
  302: 'Found',
  307: 'Temporary redirect',
  308: 'Permanent redirect',
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Body too large',
  415: 'Unsupported type',
  422: 'Unprocessable',
  429: 'Too many requests',
  500: 'Server error',
  502: 'Bad gateway',
  503: 'Unavailable',
  504: 'Gateway timeout',
};

const classes = ['', 'Informational', 'Success', 'Redirect', 'Client error', 'Server error'];

/** The status code of a response with its meaning, for example `503 Unavailable`. */
export const statusWords = (code: number): string => `${code} ${statuses[code] ?? classes[Math.floor(code / 100)] ?? ''}`.trim();

const reasons: Readonly<Record<string, string>> = {
  invalid_url: 'Deliveries to this URL are not allowed. Nothing was sent.',
  redirect_not_followed: 'Redirects are not followed. Enter the final URL.',
  http_error: 'Only a status from 200 to 299 counts as success.',
  no_response: 'The host was not found, did not respond in time, rejected the connection or has no valid certificate.',
  endpoint_disabled: 'The endpoint was disabled. Nothing was sent.',
};

/** Says why an attempt failed; empty if it succeeded. */
export const reasonOf = (error: string | null): string => (error === null ? '' : (reasons[error] ?? error));

const errors: Readonly<Record<string, string>> = {
  invalid_url: 'Address not allowed',
  redirect_not_followed: 'redirects are not followed',
  http_error: '',
  no_response: 'No response',
  endpoint_disabled: 'Endpoint was disabled',
};

/** Words for an attempt's error code; empty if its status code says the same. */
export const errorWords = (error: string | null): string => (error === null ? '' : (errors[error] ?? error.replaceAll('_', ' ')));
